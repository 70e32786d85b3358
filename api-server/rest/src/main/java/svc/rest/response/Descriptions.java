package svc.rest.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.catalog.Routine;
import svc.catalog.Table;

/** What the API says about itself. */
public final class Descriptions {
    private Descriptions() {}

    /** Which methods a relation has. */
    public static Response methods(Table table) {
        Table.Mutability can = table.mutability();
        List<String> methods = new ArrayList<>(List.of("OPTIONS", "GET", "HEAD"));
        if (can.insertable()) {
            methods.add("POST");
        }
        if (can.insertable() && can.updatable() && !table.primaryKey().isEmpty()) {
            methods.add("PUT");
        }
        if (can.updatable()) {
            methods.add("PATCH");
        }
        if (can.deletable()) {
            methods.add("DELETE");
        }
        return allow(String.join(",", methods));
    }

    /** Which methods a function has, one of a name at least. */
    public static Response methods(List<Routine> routines) {
        boolean readable = routines.stream().anyMatch(routine -> routine.volatility() != Routine.Volatility.VOLATILE);
        return allow(readable ? "OPTIONS,GET,HEAD,POST" : "OPTIONS,POST");
    }

    private static Response allow(String methods) {
        return new Response(200, Map.of("Allow", methods), new byte[0]);
    }
}
