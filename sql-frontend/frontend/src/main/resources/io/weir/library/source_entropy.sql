-- name: source_entropy
-- about: entropy of the source addresses of each second's packets, in bits
-- source: NetQRE (entropy, which prints nats): −Σ f·log₂ f = log₂ N − Σ n·log₂ n / N; two queries, the second over the rows of the first
CREATE QUERY source_entropy_each AS
SELECT window_start, window_end, src_addr, COUNT(*) AS packets
FROM packets
GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr;

CREATE QUERY source_entropy AS
SELECT window_start AS from_ts, SUM(packets) AS packets,
       LOG2(SUM(packets)) - SUM(packets * LOG2(packets)) / SUM(packets) AS bits
FROM source_entropy_each
GROUP BY TUMBLE(window_end, INTERVAL '1' SECOND);
