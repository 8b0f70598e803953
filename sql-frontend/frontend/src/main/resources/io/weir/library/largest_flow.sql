-- name: largest_flow
-- about: the flow with the most bytes of each second, and how many flows have over 10000
-- source: a first week with Weir: the largest flow, and the count of elephants
CREATE QUERY each_flow AS
SELECT window_end, src_addr, dst_addr, src_port, dst_port, proto, SUM(bytes) AS bytes
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr, dst_addr, src_port, dst_port, proto;

CREATE QUERY largest_flow AS
SELECT window_start, ARG_MAX(src_addr, bytes) AS src_addr, ARG_MAX(dst_addr, bytes) AS dst_addr,
       MAX(bytes) AS bytes, COUNT(*) FILTER (WHERE bytes > 10000) AS elephants
FROM each_flow
GROUP BY TUMBLE(window_end, INTERVAL '1' SECOND);
