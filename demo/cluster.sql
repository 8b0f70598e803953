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

-- 3, Node2: does that reach Node2 too? Woken from Node1.
CREATE QUERY q3 AS
SELECT window_end, active_from, dst_addr, SUM(bytes) AS bytes, COUNT(DISTINCT src_addr) AS sources
FROM packets
WHERE node_id = 'Node2' AND proto = 6
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr
WHEN q2.bytes > 20000 FOR INTERVAL '10' SECOND;

-- 4, Node2: how do the hosts bear it that hear most? Their TCP windows say.
CREATE QUERY q4 AS
SELECT window_end, active_from, src_addr, MIN(tcp_window) AS least_window, COUNT(*) AS packets
FROM packets
WHERE node_id = 'Node2' AND proto = 6 AND src_port = 80
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr
WHEN q3.sources >= 45 FOR INTERVAL '10' SECOND;

-- And what all nodes see together: windows of three workers, merged.
CREATE QUERY everywhere AS
SELECT window_end, COUNT(*) AS packets, COUNT(DISTINCT src_addr) AS sources, completeness
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
