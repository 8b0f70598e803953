-- name: ssh_connection_sizes
-- about: hosts with TH or more SSH connections of one same size in ten seconds
-- set: TH=20
-- source: Jetstream (SSH brute force): the size of a connection is the sum of its bytes to the server; two queries, the second over the rows of the first
CREATE QUERY ssh_connection_sizes_each AS
SELECT window_start, window_end, dst_addr, src_addr, src_port, SUM(bytes) AS bytes
FROM packets
WHERE proto = 6 AND dst_port = 22
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), dst_addr, src_addr, src_port;

CREATE QUERY ssh_connection_sizes AS
SELECT window_start AS from_ts, dst_addr, bytes, COUNT(*) AS connections
FROM ssh_connection_sizes_each
GROUP BY TUMBLE(window_end, INTERVAL '10' SECOND), dst_addr, bytes
HAVING COUNT(*) >= :TH;
