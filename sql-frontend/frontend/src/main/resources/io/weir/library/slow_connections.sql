-- name: slow_connections
-- about: hosts with TH or more TCP connections of at most 2000 bytes in ten seconds
-- set: TH=50
-- source: Jetstream (Slowloris): many connections of low volume, each judged by itself; two queries, the second over the rows of the first
CREATE QUERY slow_connections_each AS
SELECT window_start, window_end, dst_addr, src_addr, src_port, dst_port, SUM(bytes) AS bytes
FROM packets
WHERE proto = 6
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), dst_addr, src_addr, src_port, dst_port
HAVING SUM(bytes) <= 2000;

CREATE QUERY slow_connections AS
SELECT window_start AS from_ts, dst_addr, COUNT(*) AS connections,
       SUM(bytes) AS bytes
FROM slow_connections_each
GROUP BY TUMBLE(window_end, INTERVAL '10' SECOND), dst_addr
HAVING COUNT(*) >= :TH;
