-- name: above_baseline
-- about: destinations with over three times the mean of their last ten windows, and by how much
-- source: a first week with Weir: the deviation from a baseline
CREATE QUERY above_baseline AS
SELECT window_start, window_end, dst_addr, COUNT(*) AS packets,
       AVG(COUNT(*)) OVER (PARTITION BY dst_addr ORDER BY window_end
                           ROWS BETWEEN 10 PRECEDING AND 1 PRECEDING) AS baseline
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
QUALIFY packets > 3 * baseline;
