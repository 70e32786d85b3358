package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import svc.database.sql.Literal;
import svc.database.sql.TextHash;

/**
 * Tables, views, functions and event triggers of the hardening. An object is made again when its text in our script has
 * changed, or when its definition in the database is no longer the one that this text once gave ({@code svc_guard.applied}
 * keeps both).
 */
final class ScriptedObjects implements Section {
    private final List<ScriptedObject> objects;

    ScriptedObjects(List<ScriptedObject> objects) {
        this.objects = objects;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        Map<String, List<String>> applied = new HashMap<>();
        for (List<String> row : session.rows("SELECT object, script, result FROM svc_guard.applied")) {
            applied.put(row.getFirst(), row);
        }
        Map<String, String> found = observe(session);
        List<Step> steps = new ArrayList<>();
        for (ScriptedObject object : objects) {
            String script = TextHash.of(object.sql());
            String result = found.get(object.name());
            List<String> known = applied.get(object.name());
            if (known != null && script.equals(known.get(1)) && known.get(2).equals(result)) {
                continue;
            }
            String what =
                    result == null ? "created" : known == null || script.equals(known.get(1)) ? "repaired" : "updated";
            steps.add(Step.of(object.name(), what, object.sql() + "\n;" + object.takeBack() + record(object, script)));
        }
        return steps;
    }

    /** The fingerprints of all objects that exist, in one round trip. */
    private Map<String, String> observe(Session session) throws SQLException {
        StringBuilder query = new StringBuilder();
        for (ScriptedObject object : objects) {
            query.append(query.isEmpty() ? "" : " UNION ALL ")
                    .append("SELECT ")
                    .append(Literal.of(object.name()).sql())
                    .append(", (")
                    .append(object.fingerprint())
                    .append(")");
        }
        Map<String, String> found = new HashMap<>();
        for (List<String> row : session.rows(query.toString())) {
            found.put(row.get(0), row.get(1));
        }
        return found;
    }

    private static String record(ScriptedObject object, String script) {
        return "INSERT INTO svc_guard.applied (object, script, result) SELECT "
                + Literal.of(object.name()).sql() + ", "
                + Literal.of(script).sql() + ", (" + object.fingerprint()
                + ") ON CONFLICT (object) DO UPDATE SET script = EXCLUDED.script, result = EXCLUDED.result";
    }
}
