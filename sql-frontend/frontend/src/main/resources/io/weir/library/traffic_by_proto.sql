-- name: traffic_by_proto
-- about: packets and bytes of each protocol, over the whole input
-- source: Jetstream (traffic count)
CREATE QUERY traffic_by_proto AS
SELECT proto, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY proto;
