-- name: completed_flows
-- about: hosts that were sent at least TH SYNs more than they sent FINs, in thirty seconds
-- set: TH=1
-- source: Sonata (completed flows): SYN by dst − FIN by src; a packet with both SYN and FIN counts as SYN
CREATE QUERY completed_flows AS
SELECT window_start, window_end,
       CASE WHEN BITAND(tcp_flags, 18) = 2 THEN dst_addr ELSE src_addr END AS addr,
       SUM(CASE WHEN BITAND(tcp_flags, 18) = 2 THEN 1 ELSE -1 END) AS score
FROM packets
WHERE proto = 6 AND (BITAND(tcp_flags, 18) = 2 OR BITAND(tcp_flags, 1) = 1)
GROUP BY TUMBLE(ts, INTERVAL '30' SECOND), addr
HAVING score >= :TH;
