-- name: traffic_by_src_addr
-- about: packets and bytes of each source address, over the whole input
-- source: Jetstream (traffic count)
CREATE QUERY traffic_by_src_addr AS
SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY src_addr;
