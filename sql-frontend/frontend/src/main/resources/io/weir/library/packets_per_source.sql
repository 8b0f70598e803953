-- name: packets_per_source
-- about: packets and bytes of each source address, over the whole input
-- source: Marple (packet count per source), NetQRE
CREATE QUERY packets_per_source AS
SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes
FROM packets
GROUP BY src_addr;
