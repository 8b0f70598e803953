-- name: both_directions
-- about: packets and bytes of each host, sent or received, in ten seconds
-- source: a first week with Weir: the union of both directions
CREATE QUERY both_directions AS
SELECT window_start, window_end, host, SUM(n) AS packets, SUM(b) AS bytes
FROM (SELECT window_end, src_addr AS host, COUNT(*) AS n, SUM(bytes) AS b FROM packets
      GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
      UNION ALL
      SELECT window_end, dst_addr, COUNT(*), SUM(bytes) FROM packets
      GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr) AS u
GROUP BY TUMBLE(window_end, INTERVAL '10' SECOND), host;
