-- name: shares
-- about: each protocol's share of all bytes of a second
-- source: a first week with Weir: the share of the total
CREATE QUERY shares AS
SELECT window_start, window_end, proto, SUM(bytes) AS bytes,
       1e0 * SUM(bytes) / SUM(SUM(bytes)) OVER () AS share
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto;
