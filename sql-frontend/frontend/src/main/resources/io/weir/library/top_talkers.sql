-- name: top_talkers
-- about: the five source addresses with most packets, in each second
-- source: Jetstream (heavy hitter, by Prometheus' topk)
CREATE QUERY top_talkers AS
SELECT window_start, window_end, src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
ORDER BY packets DESC, src_addr
LIMIT 5;
