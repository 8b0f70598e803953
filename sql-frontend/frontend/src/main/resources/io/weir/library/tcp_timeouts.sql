-- name: tcp_timeouts
-- about: TCP flows with TH or more pauses of over 200 ms and at most 320 ms
-- set: TH=1
-- source: Marple (TCP timeouts): such a gap is a retransmission timer that ran out
CREATE QUERY tcp_timeouts AS
SELECT src_addr, dst_addr, proto, src_port, dst_port,
       GAPS(ts, INTERVAL '200' MILLISECOND) - GAPS(ts, INTERVAL '320' MILLISECOND) AS timeouts
FROM packets
WHERE proto = 6
GROUP BY src_addr, dst_addr, proto, src_port, dst_port
HAVING timeouts >= :TH;
