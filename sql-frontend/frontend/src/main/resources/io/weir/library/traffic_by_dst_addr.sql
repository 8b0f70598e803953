-- name: traffic_by_dst_addr
-- about: packets and bytes of each destination address, over the whole input
-- source: Jetstream (traffic count)
CREATE QUERY traffic_by_dst_addr AS
SELECT dst_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY dst_addr;
