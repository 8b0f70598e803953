package io.weir.sql;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Derives random statements from a grammar of the whole language. A rule's alternatives are
 * separated by {@code |}. A word in {@code <…>} is a rule, {@code [ … ]} stands there or not, and
 * {@code { … }} stands there up to two times. All else are tokens. The first alternative ends soon:
 * it is taken when a text becomes deep.
 */
final class Derivations {
    private static final int DEEP = 14;

    private static final String GRAMMAR =
            """
            statement : <query> | <query> | <create> | <drop> | <show> | <explain> | <test> | <pause> | <other>
            create : CREATE [ OR REPLACE ] QUERY <name> AS <query> | <aggregate> | <source> | <table>
            drop : DROP QUERY [ IF EXISTS ] <name> | DROP AGGREGATE [ IF EXISTS ] <name> | DROP SOURCE <name> | DROP TABLE [ IF EXISTS ] <name>
            show : SHOW <listed> | DESCRIBE <stream> | SHOW COLUMNS FROM <stream> | DESCRIBE sys . <listed>
            listed : QUERIES | STREAMS | FUNCTIONS | AGGREGATES | ACCOUNT | EVENTS | SOURCES | BINDINGS | TABLES | WORKERS | AUDIT | QUERY COST | LOSS
            explain : EXPLAIN <query> | EXPLAIN ( KERNEL ) <query> | EXPLAIN <name> | EXPLAIN ANALYZE <name> | EXPLAIN ANALYZE <query> | EXPLAIN <create>
            test : TEST QUERY <name> ON 'a.pcap' EXPECT 'a.csv' | TEST QUERY <query> ON 'a.pcap' EXPECT 'a.csv'
            pause : PAUSE QUERY <name> | RESUME QUERY <name>
            other : SUBSCRIBE <name> | SELECT <expr> | SELECT * FROM sys . <listed> [ WHERE <expr> ]
            aggregate : CREATE [ OR REPLACE ] AGGREGATE <new> ( <typed> { , <typed> } ) STATE ( <word> { , <word> } ) UPDATE <set> { , <set> } RETURN <expr> [ MERGE <set> { , <set> } ]
            typed : x <type> | y <type>
            word : s <type> = <literal> | t <type> = <expr>
            set : s = <expr> | t = <expr>
            source : CREATE SOURCE <new> WITH ( uri = 'gen:' ) | CREATE SOURCE <new> WITH ( <setting> )
            table : CREATE [ OR REPLACE ] TABLE <new> [ ( addr INET { , name <type> [ PATH 'a.b' ] } ) ] WITH ( file = 'bad.csv' , key = 'addr' { , <setting> } )
            setting : memory = '64MB' | on_overflow = 'topk' | bindings = 10 | binding_idle = INTERVAL '1' MINUTE | <new> = <literal>
            query : <select> [ ORDER BY <order> { , <order> } ] [ LIMIT <int> ] [ OFFSET <int> ] [ WHEN <expr> [ <until> ] ] [ WITH ( <setting> { , <setting> } ) ] | WITH <new> AS ( <plain> ) <plain> | <plain> UNION ALL <plain> | <plain> UNION <plain>
            until : UNTIL <expr> | FOR <interval>
            plain : <select>
            select : SELECT <item> FROM <stream> | SELECT [ DISTINCT ] <item> { , <item> } FROM <from> [ WHERE <expr> ] [ <group> ] [ HAVING <expr> ] [ QUALIFY <expr> ]
            item : <column> | <expr> AS <new> | <agg> AS n | <over> AS <new> | *
            from : <stream> | <stream> | <stream> AS a | <join> | ( <plain> ) AS a | TABLE ( TUMBLE ( TABLE <stream> , DESCRIPTOR ( ts ) , <interval> ) )
            join : <stream> JOIN <stream> ON <expr> | <stream> LEFT JOIN bad ON <column> = bad . addr | <stream> FULL JOIN <stream> USING ( window_end ) | <stream> , <stream>
            group : GROUP BY <key> { , <key> } | GROUP BY TUMBLE ( ts , <interval> ) { , <key> } | GROUP BY HOP ( ts , <interval> , <interval> ) { , <key> } | GROUP BY SESSION ( ts , <interval> )
            key : <column> | <expr> | 1
            order : <column> | n DESC | <expr> ASC NULLS FIRST | 1 DESC
            agg : COUNT ( * ) | SUM ( <expr> ) | COUNT ( DISTINCT <expr> ) | AVG ( <expr> ) FILTER ( WHERE <expr> ) | MAX ( <expr> ) | ARG_MAX ( <expr> , <expr> ) | APPROX_QUANTILE ( <expr> , 0.5 ) | APPROX_TOP ( <expr> , 2 ) | FIRST ( <expr> ) | EWMA ( <expr> , 0.5 ) | GAPS ( ts , <interval> ) | STDDEV ( <expr> ) | BIT_OR ( <expr> )
            over : ROW_NUMBER ( ) OVER ( ORDER BY n ) | LAG ( <expr> , 1 , 0 ) OVER ( PARTITION BY <column> ORDER BY window_end ) | SUM ( <expr> ) OVER ( ) | AVG ( <expr> ) OVER ( PARTITION BY <column> ORDER BY window_end ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING )
            expr : <column> | <literal> | <expr> <op> <expr> | ( <expr> ) | NOT <expr> | - <expr> | <agg> | <call> | CASE WHEN <expr> THEN <expr> [ ELSE <expr> ] END | CAST ( <expr> AS <type> ) | <expr> IN ( <literal> , <literal> ) | <expr> IN ( SELECT addr FROM bad ) | <expr> BETWEEN <expr> AND <expr> | <expr> IS NULL | <expr> IS NOT TRUE | <expr> LIKE 'a%' | EXISTS ( <plain> ) | ( <plain> )
            op : + | - | * | / | % | = | <> | < | > | <= | >= | AND | OR | << | >> | ||
            call : ABS ( <expr> ) | BITAND ( <expr> , <expr> ) | IN_SUBNET ( <expr> , '10.0.0.0/8' ) | PREFIX ( <expr> , 24 , 64 ) | UPPER ( <expr> ) | SUBSTRING ( <expr> , 1 , 2 ) | COALESCE ( <expr> , <expr> ) | NULLIF ( <expr> , <expr> ) | GREATEST ( <expr> , <expr> ) | ROUND ( <expr> , 1 ) | LN ( <expr> ) | DATE_TRUNC ( 'minute' , <expr> ) | EXTRACT ( HOUR FROM <expr> ) | SERVICE_NAME ( <expr> , <expr> ) | REGEXP_LIKE ( <expr> , 'a+' ) | COMMUNITY_ID ( src_addr , dst_addr , src_port , dst_port , proto ) | <new> ( <expr> )
            column : bytes | src_addr | dst_addr | proto | ts | tcp_flags | src_port | window_end | window_start | n | sources | ddos . sources | a . bytes | node_id | is_partial | packets_lost | nothing
            stream : packets | packets | flows | ddos | scans | bad | public . packets | nothing
            name : ddos | scans | packets | nothing | <new>
            new : q | x | "rows" | t1
            type : BIGINT | DOUBLE | BOOLEAN | VARCHAR | INET | TIMESTAMP | INTERVAL
            interval : INTERVAL '1' SECOND | INTERVAL '10' MINUTE | INTERVAL '0' SECOND | INTERVAL '100' MILLISECOND | INTERVAL '1' MONTH
            literal : 1 | 0 | 1000000 | 9223372036854775807 | 2.5 | 1e3 | 'text' | '10.0.0.1' | INET '::1' | TRUE | NULL | TIMESTAMP '2026-11-20 13:45:00' | <interval> | 0x1f
            int : 3 | 0 | 1000000000000
            """;

    private final Map<String, List<String[]>> rules = new HashMap<>();
    private final Random random;

    Derivations(Random random) {
        this.random = random;
        GRAMMAR.lines()
                .forEach(
                        line -> {
                            String[] rule = line.split(" : ", 2);
                            rules.put(rule[0], alternatives(rule[1]));
                        });
    }

    private static List<String[]> alternatives(String right) {
        return Arrays.stream(right.split(" \\| ")).map(one -> one.strip().split(" ")).toList();
    }

    /** Returns a text of one statement, or of several. */
    String text() {
        StringBuilder text = new StringBuilder();
        do {
            rule("statement", text, 0);
            text.append("; ");
        } while (random.nextInt(6) == 0);
        return text.toString();
    }

    private void rule(String name, StringBuilder text, int depth) {
        List<String[]> all = rules.get(name);
        boolean ends = depth > DEEP || text.length() > 4_000;
        sequence(all.get(ends ? 0 : random.nextInt(all.size())), 0, text, depth + 1);
    }

    /**
     * Writes tokens up to the end, or up to the bracket that closes. Returns the place after it.
     */
    private int sequence(String[] tokens, int from, StringBuilder text, int depth) {
        int at = from;
        while (at < tokens.length && !tokens[at].equals("]") && !tokens[at].equals("}")) {
            String token = tokens[at];
            if (token.equals("[") || token.equals("{")) {
                at = repeated(tokens, at + 1, token.equals("[") ? 1 : 2, text, depth);
            } else if (token.length() > 2 && token.startsWith("<") && token.endsWith(">")) {
                rule(token.substring(1, token.length() - 1), text, depth);
                at++;
            } else {
                text.append(token).append(' ');
                at++;
            }
        }
        return at + 1;
    }

    private int repeated(String[] tokens, int from, int most, StringBuilder text, int depth) {
        int times = depth > DEEP ? 0 : random.nextInt(most + 1);
        for (int n = 0; n < times; n++) {
            var unused = sequence(tokens, from, text, depth);
        }
        return sequence(tokens, from, new StringBuilder(), DEEP + 1);
    }
}
