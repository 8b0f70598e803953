-- name: passthrough
-- about: every GPV through the pipeline, and how many packets they held
-- source: Jetstream (passthrough: no operator); a query has a result, and the least is a count, which is read from each GPV's header and proves that none was passed over
CREATE QUERY passthrough AS
SELECT COUNT(*) AS packets
FROM packets;
