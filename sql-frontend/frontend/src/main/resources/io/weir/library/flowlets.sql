-- name: flowlets
-- about: flowlets of each flow (a pause of over 50 ms begins a new one) and their mean length
-- source: Marple (flowlet size histogram): the flowlets; the histogram of their sizes needs a fold that emits a row at each gap
CREATE QUERY flowlets AS
SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS packets,
       GAPS(ts, INTERVAL '50' MILLISECOND) + 1 AS flowlets,
       CAST(COUNT(*) AS DOUBLE) / (GAPS(ts, INTERVAL '50' MILLISECOND) + 1) AS mean_packets
FROM packets
GROUP BY src_addr, dst_addr, proto, src_port, dst_port;
