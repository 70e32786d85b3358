package svc.database.shared;

import java.util.ArrayList;
import java.util.List;
import svc.database.sql.Literal;

/**
 * One object that a script makes: the text between its {@code --@ kind identity} line and the next.
 *
 * @param kind {@code table}, {@code view}, {@code type} (a composite one), {@code function} (also a procedure), {@code publication} or {@code event trigger}
 * @param identity qualified name; of a function with its argument types
 * @param sql makes or replaces the object and sets its privileges; may run again
 */
record ScriptedObject(String kind, String identity, String sql) {
    private static final String MARK = "--@ ";

    static List<ScriptedObject> parse(String script) {
        List<ScriptedObject> objects = new ArrayList<>();
        String[] parts = ("\n" + script).split("\n" + MARK, -1);
        for (int i = 1; i < parts.length; i++) {
            int end = parts[i].indexOf('\n');
            String head = parts[i].substring(0, end).strip();
            int space = head.startsWith("event trigger ") ? "event trigger".length() : head.indexOf(' ');
            objects.add(new ScriptedObject(
                    head.substring(0, space),
                    head.substring(space + 1),
                    parts[i].substring(end).strip()));
        }
        return objects;
    }

    /** The same in another schema. */
    ScriptedObject inSchema(String from, String to) {
        return new ScriptedObject(kind, identity.replace(from + ".", to + "."), sql.replace(from + ".", to + "."));
    }

    /** One for each {@link PublicationPart} when it is that of the first one; else itself. */
    List<ScriptedObject> ofParts() {
        String first = new PublicationPart(0).publication();
        if (!identity.equals(first)) {
            return List.of(this);
        }
        return PublicationPart.all().stream()
                .map(PublicationPart::publication)
                .sorted()
                .map(part -> new ScriptedObject(kind, part, sql.replace(first, part)))
                .toList();
    }

    String name() {
        return kind + " " + identity;
    }

    /** Gives the object back to the superuser that hardens: replacing one leaves its owner as it is. */
    String takeBack() {
        return switch (kind) {
            case "function" -> "ALTER ROUTINE " + identity + " OWNER TO CURRENT_USER;";
            case "view" -> "ALTER VIEW " + identity + " OWNER TO CURRENT_USER;";
            case "table" -> "ALTER TABLE " + identity + " OWNER TO CURRENT_USER;";
            case "type" -> "ALTER TYPE " + identity + " OWNER TO CURRENT_USER;";
            default -> "";
        };
    }

    /**
     * A query for a fingerprint of the object as it is, privileges and owner included; no row when it does not exist.
     * Needs search_path = pg_catalog, which decides how the server writes definitions.
     */
    String fingerprint() {
        String name = Literal.of(identity).sql();
        return switch (kind) {
            case "function" ->
                "SELECT md5(concat_ws('|', pg_get_functiondef(p.oid), p.proacl, a.rolsuper)) FROM pg_proc p"
                        + " JOIN pg_roles a ON a.oid = p.proowner WHERE p.oid = to_regprocedure(" + name + ")";
            case "view", "table", "type" ->
                "SELECT md5(concat_ws('|', c.relkind, c.relacl, c.reloptions, a.rolsuper,"
                        + " CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END, (SELECT string_agg(concat_ws(' ',"
                        + " t.attname, format_type(t.atttypid, t.atttypmod), t.attnotnull, t.attacl), ',' ORDER BY t.attnum)"
                        + " FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attnum > 0)))"
                        + " FROM pg_class c JOIN pg_roles a ON a.oid = c.relowner WHERE c.oid = to_regclass(" + name
                        + ")";
            case "publication" ->
                "SELECT md5(concat_ws('|', p.puballtables, p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate,"
                        + " p.pubviaroot, to_jsonb(p) ->> 'pubgencols', a.rolsuper)) FROM pg_publication p JOIN pg_roles a ON a.oid = p.pubowner"
                        + " WHERE p.pubname = " + name;
            case "event trigger" ->
                "SELECT md5(concat_ws('|', e.evtevent, e.evtenabled, e.evtfoid::regprocedure,"
                        + " e.evttags, a.rolsuper)) FROM pg_event_trigger e JOIN pg_roles a ON a.oid = e.evtowner"
                        + " WHERE e.evtname = " + name;
            default -> throw new IllegalStateException("No such kind of object: " + kind);
        };
    }
}
