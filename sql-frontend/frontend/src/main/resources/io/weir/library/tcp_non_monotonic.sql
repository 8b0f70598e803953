-- name: tcp_non_monotonic
-- about: TCP flows in which TH or more segments were below the highest sequence number before them
-- set: TH=1
-- source: Marple (TCP non-monotonic): compares with the maximum, not with the packet before; plain numbers, so that a wrap at 2^32 counts
CREATE QUERY tcp_non_monotonic AS
SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS packets,
       NON_MONOTONIC(tcp_seq) AS non_monotonic
FROM packets
WHERE proto = 6 AND fragment_offset = 0
GROUP BY src_addr, dst_addr, proto, src_port, dst_port
HAVING non_monotonic >= :TH;
