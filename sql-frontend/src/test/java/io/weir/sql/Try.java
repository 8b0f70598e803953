package io.weir.sql;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.plan.*;
import java.nio.file.*;
import java.util.*;
class Try {
    public static void main(String[] a) throws Exception {
        long t0=System.nanoTime();
        MapCatalog c = new MapCatalog();
        new SqlFrontend(c).parse("SELECT 1 AS x FROM packets");
        System.out.println("first parse ms "+(System.nanoTime()-t0)/1000000);
        for (String sql : Files.readString(Path.of(a[0])).split("\n----\n")) {
            System.out.println("### " + sql);
            try {
                List<Statement> l = sql.startsWith("equery ")? new SqlFrontend(c).parseEquery(sql.substring(7), Map.of("NodeX","n1")) : new SqlFrontend(c).parse(sql, Map.of("TH","40","A","10.0.0.1"));
                for (Statement s : l) {
                    if (s instanceof Statement.CreateQuery q) { System.out.print(PlanText.explain(q.query(), MergeRule.DEFAULT_PARTITION_KEY)); c.put(q.query()); }
                    else if (s instanceof Statement.Select q) System.out.print(PlanText.explain(q.query(), MergeRule.DEFAULT_PARTITION_KEY));
                    else System.out.println(s);
                }
            } catch (WeirException e) { System.out.println(e.text()); }
            catch (Throwable e) { e.printStackTrace(System.out); }
        }
    }
}
