-- name: host_sessions
-- about: packets of a host without a pause of five seconds
-- source: a first week with Weir: sessions
CREATE QUERY host_sessions AS
SELECT window_start, window_end, src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY SESSION(ts, INTERVAL '5' SECOND), src_addr;
