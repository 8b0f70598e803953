-- name: networks
-- about: packets and sources of each network of 24 bits, or 64 of IPv6, in ten seconds
-- source: a first week with Weir: any /24
CREATE QUERY networks AS
SELECT window_start, window_end, SUBNET(src_addr, 24, 64) AS net, COUNT(*) AS packets,
       COUNT(DISTINCT src_addr) AS sources
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), PREFIX(src_addr, 24, 64);
