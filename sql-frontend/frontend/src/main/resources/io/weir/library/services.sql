-- name: services
-- about: packets, mean length and its standard deviation of each service, by name
-- source: a first week with Weir: standard deviation and text labels
CREATE QUERY services AS
SELECT window_start, window_end, UPPER(SERVICE_NAME(dst_port, proto)) AS service,
       COUNT(*) AS packets, AVG(bytes) AS mean, STDDEV(bytes) AS deviation
FROM packets
WHERE SERVICE_NAME(dst_port, proto) IS NOT NULL
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), dst_port, proto;
