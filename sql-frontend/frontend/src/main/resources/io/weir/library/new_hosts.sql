-- name: new_hosts
-- about: hosts that sent nothing for a day, and from when on that is known
-- source: a first week with Weir: hosts never seen before
CREATE QUERY new_hosts AS
SELECT window_start, window_end, src_addr, NEW_SINCE(src_addr) AS known_from
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
QUALIFY NEW(src_addr, INTERVAL '1' DAY);
