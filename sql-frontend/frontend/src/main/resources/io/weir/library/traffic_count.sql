-- name: traffic_count
-- about: all packets and bytes, over the whole input; traffic_by_… has them by part of the 5-tuple
-- source: Jetstream (traffic count); its count of GPVs is in --stats
CREATE QUERY traffic_count AS
SELECT COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets;
