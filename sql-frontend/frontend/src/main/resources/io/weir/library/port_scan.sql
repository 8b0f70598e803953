-- name: port_scan
-- about: hosts that send TCP to TH or more distinct ports in a second
-- set: TH=40
-- source: Sonata (port scan)
CREATE QUERY port_scan AS
SELECT window_start, window_end, src_addr, COUNT(DISTINCT dst_port) AS ports
FROM packets
WHERE proto = 6
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
HAVING COUNT(DISTINCT dst_port) >= :TH;
