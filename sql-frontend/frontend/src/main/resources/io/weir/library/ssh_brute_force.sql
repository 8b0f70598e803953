-- name: ssh_brute_force
-- about: hosts that TH or more distinct hosts send SSH packets of one same length to, in a second
-- set: TH=40
-- source: Sonata (SSH brute force): distinct (dst, src, bytes), counted by (dst, bytes)
CREATE QUERY ssh_brute_force AS
SELECT window_start, window_end, dst_addr, bytes, COUNT(DISTINCT src_addr) AS sources
FROM packets
WHERE proto = 6 AND dst_port = 22
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr, bytes
HAVING COUNT(DISTINCT src_addr) >= :TH;
