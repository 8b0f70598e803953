-- name: flow_features
-- about: duration, bytes, packets, mean, deviation and greatest length of each flow
-- source: *Flow (traffic classifier): the NetFlow set and the Marple set of features; the lengths of the first eight packets need arrays
CREATE QUERY flow_features AS
SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS packets, SUM(bytes) AS bytes,
       MAX(ts) - MIN(ts) AS duration, AVG(bytes) AS mean_bytes, MAX(bytes) AS most_bytes,
       SQRT(AVG(bytes * bytes) - AVG(bytes) * AVG(bytes)) AS deviation_bytes
FROM packets
GROUP BY src_addr, dst_addr, proto, src_port, dst_port;
