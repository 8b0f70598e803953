-- name: traffic_by_src_port
-- about: packets and bytes of each source port, over the whole input
-- source: Jetstream (traffic count)
CREATE QUERY traffic_by_src_port AS
SELECT src_port, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY src_port;
