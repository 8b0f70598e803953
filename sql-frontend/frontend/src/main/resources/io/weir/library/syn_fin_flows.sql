-- name: syn_fin_flows
-- about: TCP flows with a SYN and a FIN after it, and how long they took
-- source: NetQRE (SYN to FIN, completed flows); one direction: SYN without ACK, then FIN
CREATE QUERY syn_fin_flows AS
SELECT src_addr, dst_addr, src_port, dst_port,
       MAX(ts) FILTER (WHERE BITAND(tcp_flags, 1) = 1)
           - MIN(ts) FILTER (WHERE BITAND(tcp_flags, 18) = 2) AS duration
FROM packets
WHERE proto = 6
GROUP BY src_addr, dst_addr, src_port, dst_port
HAVING MIN(ts) FILTER (WHERE BITAND(tcp_flags, 18) = 2)
    < MAX(ts) FILTER (WHERE BITAND(tcp_flags, 1) = 1);
