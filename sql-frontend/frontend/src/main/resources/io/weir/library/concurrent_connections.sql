-- name: concurrent_connections
-- about: distinct 5-tuples in each second
-- source: Marple (concurrent connections); an epoch is a second, a connection is one direction
CREATE QUERY concurrent_connections AS
SELECT window_start, window_end,
       COUNT(DISTINCT src_addr, dst_addr, proto, src_port, dst_port) AS connections
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
