-- name: new_tcp_connections
-- about: hosts that are sent TH or more TCP SYNs in a second
-- set: TH=40
-- source: Sonata (newly opened TCP connections); SYN set and ACK clear, other flags as they may
CREATE QUERY new_tcp_connections AS
SELECT window_start, window_end, dst_addr, COUNT(*) AS syns
FROM packets
WHERE proto = 6 AND BITAND(tcp_flags, 18) = 2
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING COUNT(*) >= :TH;
