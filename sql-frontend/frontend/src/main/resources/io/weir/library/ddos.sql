-- name: ddos
-- about: hosts that TH or more distinct hosts send to in a second
-- set: TH=45
-- source: Sonata (DDoS)
CREATE QUERY ddos AS
SELECT window_start, window_end, dst_addr, COUNT(DISTINCT src_addr) AS sources
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING COUNT(DISTINCT src_addr) >= :TH;
