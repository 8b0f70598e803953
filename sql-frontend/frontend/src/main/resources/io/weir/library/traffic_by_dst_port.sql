-- name: traffic_by_dst_port
-- about: packets and bytes of each destination port, over the whole input
-- source: Jetstream (traffic count)
CREATE QUERY traffic_by_dst_port AS
SELECT dst_port, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY dst_port;
