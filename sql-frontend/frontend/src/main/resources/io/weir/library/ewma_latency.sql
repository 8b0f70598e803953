-- name: ewma_latency
-- about: moving average of the queueing delay of each flow, with weight ALPHA for the newest
-- set: ALPHA=0.125
-- source: Marple (EWMA latency); the first packet's delay is where it begins
CREATE QUERY ewma_latency AS
SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS packets,
       EWMA(queue_delay_ns, :ALPHA) AS delay_ns
FROM packets
GROUP BY src_addr, dst_addr, proto, src_port, dst_port;
