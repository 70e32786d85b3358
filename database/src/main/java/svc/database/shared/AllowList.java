package svc.database.shared;

import java.util.List;

/**
 * Reviewed functions of pg_catalog.
 *
 * @param names every overload that takes no reference to a catalog object ({@link #TAKES_REFERENCE})
 * @param signatures exactly these overloads: {@code name(type,type)}
 */
record AllowList(List<String> names, List<String> signatures) {
    /**
     * SQL over {@code pg_proc p}: true when an argument can point at something in the catalog, or is of a type that only
     * the server itself passes. Such an overload must be allowed by its signature, so that one that a new server version
     * adds under a known name stays closed.
     */
    static final String TAKES_REFERENCE = """
            EXISTS (SELECT FROM unnest(p.proargtypes) t WHERE t::regtype::text ~ '^reg' OR t = ANY (
                '{oid,oid[],oidvector,internal,cstring,xid,tid,cid,pg_node_tree,refcursor}'::regtype[]))""";

    /** SQL over {@code pg_proc p}: the form in which signatures are listed. */
    static final String SIGNATURE = """
            p.proname || '(' || coalesce((SELECT string_agg(format_type(a.t, NULL), ',' ORDER BY a.n)
                FROM unnest(p.proargtypes) WITH ORDINALITY a (t, n)), '') || ')'""";

    static AllowList of(List<String> entries) {
        return new AllowList(
                entries.stream().filter(entry -> !entry.contains("(")).toList(),
                entries.stream().filter(entry -> entry.contains("(")).toList());
    }

    String[] nameArray() {
        return names.toArray(String[]::new);
    }

    String[] signatureArray() {
        return signatures.toArray(String[]::new);
    }
}
