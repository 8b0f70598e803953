-- The demo's composite: three questions that always run, and two that sleep until an answer wakes
-- them. What happens when is in INDEX.md.

-- How busy is the network?
CREATE QUERY traffic AS
SELECT window_start, COUNT(*) AS packets, SUM(bytes) AS bytes, COUNT(DISTINCT src_addr) AS sources
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);

-- Which hosts hear from many sources at once? (Sonata's DDoS)
CREATE QUERY ddos AS
SELECT dst_addr, COUNT(DISTINCT src_addr) AS sources, COUNT(*) AS packets
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING COUNT(DISTINCT src_addr) >= 45;

-- Who tries many ports of others? (Sonata's port scan)
CREATE QUERY port_scan AS
SELECT src_addr, COUNT(DISTINCT dst_port) AS ports
FROM packets
WHERE proto = 6 AND BITAND(tcp_flags, 18) = 2
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
HAVING COUNT(DISTINCT dst_port) >= 40;

-- Woken by a flood: what is it made of? Flags and sizes tell a SYN flood from a busy web server.
CREATE QUERY flood_profile AS
SELECT active_from, dst_addr, dst_port, tcp_flags, bytes, COUNT(*) AS packets,
       COUNT(DISTINCT src_addr) AS sources
FROM packets
WHERE proto = 6
GROUP BY TUMBLE(ts, INTERVAL '5' SECOND), dst_addr, dst_port, tcp_flags, bytes
ORDER BY packets DESC
LIMIT 5
WHEN ddos.sources >= 70 FOR INTERVAL '5' SECOND;

-- Woken by a scan: does anyone answer the scanner?
CREATE QUERY scan_answers AS
SELECT active_from, src_addr, src_port, COUNT(*) AS answers
FROM packets
WHERE proto = 6 AND BITAND(tcp_flags, 18) = 18
GROUP BY src_addr, src_port
ORDER BY answers DESC
LIMIT 5
WHEN port_scan.ports >= 200 FOR INTERVAL '5' SECOND;
