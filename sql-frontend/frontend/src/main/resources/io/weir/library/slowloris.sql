-- name: slowloris
-- about: hosts with 5 or more TCP connections and 500 bytes in a second, at most TH bytes each
-- set: TH=90
-- source: Sonata (Slowloris): distinct (dst, src, sport) and bytes by dst, as one aggregate in place of a join
CREATE QUERY slowloris AS
SELECT window_start, window_end, dst_addr, SUM(bytes) AS bytes,
       COUNT(DISTINCT src_addr, src_port) AS connections
FROM packets
WHERE proto = 6
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING connections >= 5 AND SUM(bytes) >= 500 AND SUM(bytes) <= :TH * connections;
