-- name: high_tail_latency
-- about: queues in which over one packet in a hundred waited longer than DELAY nanoseconds, by second
-- set: DELAY=1000000
-- source: Marple (high tail latency per queue)
CREATE QUERY high_tail_latency AS
SELECT window_start, window_end, queue_id,
       COUNT(*) FILTER (WHERE queue_delay_ns > :DELAY) AS slow, COUNT(*) AS packets
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), queue_id
HAVING slow * 100 > packets;
