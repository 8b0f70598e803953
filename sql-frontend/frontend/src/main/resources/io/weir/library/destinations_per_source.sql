-- name: destinations_per_source
-- about: distinct destination addresses of each source address, over the whole input
-- source: NetQRE (distinct destinations per source)
CREATE QUERY destinations_per_source AS
SELECT src_addr, COUNT(DISTINCT dst_addr) AS destinations
FROM packets
GROUP BY src_addr;
