-- name: growth
-- about: packets to each destination, and the ratio to the second before
-- source: a first week with Weir: the ratio to the previous window
CREATE QUERY growth AS
SELECT window_start, window_end, dst_addr, COUNT(*) AS packets,
       1e0 * COUNT(*) / NULLIF(LAG(COUNT(*)) OVER (PARTITION BY dst_addr ORDER BY window_end), 0)
         AS ratio
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
EMIT EMPTY FOR 10 WINDOWS;
