-- name: superspreader
-- about: hosts that send to TH or more distinct hosts in a second
-- set: TH=40
-- source: Sonata (superspreader)
CREATE QUERY superspreader AS
SELECT window_start, window_end, src_addr, COUNT(DISTINCT dst_addr) AS destinations
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
HAVING COUNT(DISTINCT dst_addr) >= :TH;
