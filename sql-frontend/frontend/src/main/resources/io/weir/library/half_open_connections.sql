-- name: half_open_connections
-- about: TCP connections that were opened by a SYN and never acknowledged by the client
-- source: NetQRE (half-open TCP connections); a row is a client's 5-tuple with a SYN and no later segment with ACK
CREATE QUERY half_open_connections AS
SELECT src_addr, dst_addr, src_port, dst_port,
       COUNT(*) FILTER (WHERE BITAND(tcp_flags, 18) = 2) AS syns
FROM packets
WHERE proto = 6
GROUP BY src_addr, dst_addr, src_port, dst_port
HAVING syns > 0 AND COUNT(*) FILTER (WHERE BITAND(tcp_flags, 16) = 16) = 0;
