package svc.rest.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.catalog.Routine;
import svc.catalog.Table;

/** Answers OPTIONS with the allowed methods. */
public final class AllowedMethods {
    private AllowedMethods() {}

    /** The methods of a relation. */
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

    /** The methods of a function with at least one overload. */
    public static Response methods(List<Routine> routines) {
        boolean readable = routines.stream().anyMatch(routine -> routine.volatility() != Routine.Volatility.VOLATILE);
        return allow(readable ? "OPTIONS,GET,HEAD,POST" : "OPTIONS,POST");
    }

    private static Response allow(String methods) {
        return new Response(200, Map.of("Allow", methods), new byte[0]);
    }
}
