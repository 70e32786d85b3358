package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Views whose columns should be those of the running server: the server's own definitions with the names in them bound to
 * the filtered views. What such a view reads is checked after it was made: one that would read the catalog itself fails
 * the whole run.
 */
final class DerivedViews implements Section {
    private static final String UNFILTERED = """
            SELECT string_agg(DISTINCT m[1]::oid::regclass::text, ', ') FROM pg_rewrite r,
                regexp_matches(r.ev_action::text, ':relid ([0-9]+)', 'g') m
            WHERE r.ev_class = to_regclass(%s) AND m[1]::bigint BETWEEN 1 AND 16383""";

    private final List<String> sources;

    DerivedViews(List<String> sources) {
        this.sources = sources;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<ScriptedObject> views = new ArrayList<>();
        session.execute("SET LOCAL search_path = pg_catalog, information_schema");
        for (String source : sources) {
            String definition = session.value("SELECT pg_get_viewdef(to_regclass(?))", source);
            views.add(view(source, definition.strip().replaceFirst(";$", "")));
        }
        session.execute("SET LOCAL search_path = pg_catalog");
        return new ScriptedObjects(views).plan(session);
    }

    private static ScriptedObject view(String source, String definition) {
        String target =
                source.replace("pg_catalog.", "svc_views.").replace("information_schema.", "svc_information_schema.");
        // Names are resolved here once and for all: first among the filtered views.
        return new ScriptedObject(
                "view",
                target,
                "SET LOCAL search_path = svc_information_schema, svc_views, pg_catalog, information_schema;\n"
                        + "CREATE OR REPLACE VIEW " + target + " WITH (security_barrier) AS\n" + definition
                        + ";\nSET LOCAL search_path = pg_catalog;\nGRANT SELECT ON " + target + " TO PUBLIC;\n"
                        + refuseUnfiltered(target));
    }

    private static String refuseUnfiltered(String view) {
        return "DO $check$ DECLARE found text; BEGIN found := (" + UNFILTERED.formatted("'" + view + "'")
                + "); IF found IS NOT NULL THEN RAISE EXCEPTION '" + view
                + " would read % unfiltered', found; END IF; END $check$";
    }
}
