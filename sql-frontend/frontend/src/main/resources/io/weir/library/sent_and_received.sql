-- name: sent_and_received
-- about: bytes that each host sent and received in ten seconds
-- source: a first week with Weir: a join of two windows
CREATE QUERY sent_and_received AS
WITH sent AS (SELECT window_end, src_addr AS host, SUM(bytes) AS bytes FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), src_addr),
     got AS (SELECT window_end, dst_addr AS host, SUM(bytes) AS bytes FROM packets
             GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), dst_addr)
SELECT sent.window_end AS window_end, sent.host AS host, sent.bytes AS sent, got.bytes AS received
FROM sent JOIN got ON sent.window_end = got.window_end AND sent.host = got.host;
