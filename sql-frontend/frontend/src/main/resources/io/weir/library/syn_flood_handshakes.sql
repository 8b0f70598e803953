-- name: syn_flood_handshakes
-- about: hosts that are sent over TH more SYNs than handshakes are completed with them in a second
-- set: TH=40
-- source: Jetstream (SYN flood); a handshake is completed by the client's first segment with ACK and without SYN and RST, counted once by (src, sport, dport)
CREATE QUERY syn_flood_handshakes AS
SELECT window_start, window_end, dst_addr,
       COUNT(*) FILTER (WHERE BITAND(tcp_flags, 18) = 2) AS syns,
       COUNT(DISTINCT src_addr, src_port, dst_port)
           FILTER (WHERE BITAND(tcp_flags, 22) = 16) AS completed
FROM packets
WHERE proto = 6
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING syns - completed > :TH;
