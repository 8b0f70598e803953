-- name: tcp_out_of_sequence
-- about: TCP flows in which TH or more segments did not begin where the one before ended
-- set: TH=1
-- source: Jetstream (TCP sequence), Marple (TCP out of sequence); expected is seq + payload, + 1 for SYN and for FIN, modulo 2^32; the first packet of a flow sets it and does not count, while Marple's own program begins at 0
CREATE QUERY tcp_out_of_sequence AS
SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS packets,
       OUT_OF_SEQUENCE(tcp_seq,
           (tcp_seq + payload_bytes + BITAND(tcp_flags, 1) + BITAND(tcp_flags, 2) / 2)
           % 4294967296) AS out_of_sequence
FROM packets
WHERE proto = 6 AND fragment_offset = 0
GROUP BY src_addr, dst_addr, proto, src_port, dst_port
HAVING out_of_sequence >= :TH;
