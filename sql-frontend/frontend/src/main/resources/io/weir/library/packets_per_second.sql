-- name: packets_per_second
-- about: packets and bytes of each second, with 0 where none came
-- source: a first week with Weir: a series without gaps
CREATE QUERY packets_per_second AS
SELECT window_start, window_end, COUNT(*) AS packets, COALESCE(SUM(bytes), 0) AS bytes
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)
EMIT EMPTY;
