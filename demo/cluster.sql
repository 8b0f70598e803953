-- A chase across nodes, after Edison's (four queries, each woken by the one before): a flood is seen
-- at Node1, measured there, looked for at Node2, and its victim's answers are looked at there.

-- 1, Node1: which hosts hear from many sources at once?
CREATE QUERY q1 AS
SELECT window_end, dst_addr, COUNT(DISTINCT src_addr) AS sources, COUNT(*) AS packets
FROM packets
WHERE node_id = 'Node1'
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
HAVING COUNT(DISTINCT src_addr) >= 45;

-- 2, Node1: how much is it?
CREATE QUERY q2 AS
SELECT window_end, active_from, dst_addr, SUM(bytes) AS bytes
FROM packets
WHERE node_id = 'Node1' AND proto = 6
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
WHEN q1.sources >= 60 FOR INTERVAL '10' SECOND;
