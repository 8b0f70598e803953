-- name: top_ports
-- about: the three ports of each host with the most packets in ten seconds, exactly
-- source: a first week with Weir: the exact top three ports per host
CREATE QUERY top_ports AS
SELECT window_start, window_end, dst_addr, dst_port, COUNT(*) AS packets
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), dst_addr, dst_port
QUALIFY ROW_NUMBER() OVER (PARTITION BY dst_addr ORDER BY packets DESC, dst_port) <= 3;
