-- name: syn_flood
-- about: hosts whose SYNs and SYN-ACKs outnumber the ACKs sent to them by TH or more in a second
-- set: TH=3
-- source: Sonata (SYN flood): SYN by dst + SYN-ACK by src − ACK by dst; each packet is of one kind, so that CASE finds its host and no join is needed. SYN is SYN without ACK, SYN-ACK is flags = 18, ACK is flags = 16
CREATE QUERY syn_flood AS
SELECT window_start, window_end,
       CASE WHEN tcp_flags = 18 THEN src_addr ELSE dst_addr END AS addr,
       COUNT(*) FILTER (WHERE BITAND(tcp_flags, 18) = 2) AS syn,
       COUNT(*) FILTER (WHERE tcp_flags = 18) AS syn_ack,
       COUNT(*) FILTER (WHERE tcp_flags = 16) AS ack,
       SUM(CASE WHEN tcp_flags = 16 THEN -1 ELSE 1 END) AS score
FROM packets
WHERE proto = 6 AND (BITAND(tcp_flags, 18) = 2 OR tcp_flags = 18 OR tcp_flags = 16)
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), addr
HAVING score >= :TH;
