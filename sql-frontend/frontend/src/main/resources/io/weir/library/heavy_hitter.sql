-- name: heavy_hitter
-- about: pairs of addresses with more than TH bytes in a second
-- set: TH=100000
-- source: Sonata (heavy hitter)
CREATE QUERY heavy_hitter AS
SELECT window_start, window_end, src_addr, dst_addr, SUM(bytes) AS bytes
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr, dst_addr
HAVING SUM(bytes) > :TH;
