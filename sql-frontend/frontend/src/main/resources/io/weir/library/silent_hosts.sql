-- name: silent_hosts
-- about: hosts that sent before, and nothing in these ten seconds; for a minute after their last packet
-- source: a first week with Weir: an alarm on silence
CREATE QUERY silent_hosts AS
SELECT window_start, window_end, src_addr
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), src_addr
HAVING COUNT(*) = 0
EMIT EMPTY FOR 6 WINDOWS;
