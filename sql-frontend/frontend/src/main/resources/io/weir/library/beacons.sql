-- name: beacons
-- about: flows with ten or more packets at regular times: the deviation of their pauses is a tenth of the mean at most
-- source: a first week with Weir: beacons and jitter
CREATE QUERY beacons AS
SELECT window_start, window_end, src_addr, dst_addr, src_port, dst_port, proto, COUNT(*) AS packets,
       INTERARRIVAL(ts) AS pause, INTERARRIVAL_STDDEV(ts) AS jitter
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), src_addr, dst_addr, src_port, dst_port, proto
HAVING COUNT(*) >= 10
   AND 10 * NANOSECONDS(INTERARRIVAL_STDDEV(ts)) <= NANOSECONDS(INTERARRIVAL(ts));
