-- name: heavy_hitter_packets
-- about: source addresses with more than TH packets in a second
-- set: TH=1000
-- source: Jetstream (heavy hitter): theirs is a share of all packets, which needs a join with the total; here the threshold is a number
CREATE QUERY heavy_hitter_packets AS
SELECT window_start, window_end, src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
HAVING COUNT(*) > :TH;
