package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.database.name.ProjectNames;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.SharedGate;
import svc.sqlgate.Verdict;

/**
 * Scripts in which the names that are replaced are marked. A familiar name between ‹ and › is replaced, every other one
 * stays; behind {@code svc:} by the schema of functions that all projects have in common, behind {@code ext:} by that of the
 * extensions. Around what is between ⟪ and ⟫ the
 * function is called that replaces names while the script runs.
 */
final class MarkedScript {
    static final UUID ID = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
    static final String SCHEMA = "proj_0f0e0d0c0b0a09080706050403020100";
    static final ScriptGate GATE = SharedGate.gate();

    private static final Pattern MARKED = Pattern.compile("‹(svc:|ext:)?([^›]*)›");

    private static final Map<String, String> REAL = Map.ofEntries(
            Map.entry("public", SCHEMA),
            Map.entry("auth", SCHEMA + "_auth"),
            Map.entry("storage", SCHEMA + "_storage"),
            Map.entry("realtime", SCHEMA + "_realtime"),
            Map.entry("anon", SCHEMA + "_anon"),
            Map.entry("authenticated", SCHEMA + "_authenticated"),
            Map.entry("service_role", SCHEMA + "_service"),
            Map.entry("authenticator", SCHEMA + "_api"),
            Map.entry("postgres", SCHEMA + "_owner"),
            Map.entry("supabase_auth_admin", SCHEMA + "_system"),
            Map.entry("supabase_storage_admin", SCHEMA + "_system"),
            Map.entry("pg_catalog", "svc_views"),
            Map.entry("information_schema", "svc_information_schema"));

    private MarkedScript() {}

    /** A marked script as a caller writes it. */
    static String unmarked(String marked) {
        return MARKED.matcher(marked).replaceAll("$2").replace("⟪", "").replace("⟫", "");
    }

    private static String real(String mark, String name) {
        return mark == null ? real(name) : mark.equals("ext:") ? "extensions" : "svc_" + name;
    }

    /** Every name that is not familiar is that of a further schema. */
    private static String real(String name) {
        return REAL.getOrDefault(name, SCHEMA + "__" + name);
    }

    /** Asserts that of a script the marked names are replaced, and nothing else. */
    static void replaces(String marked) {
        assertThat(mapped(unmarked(marked), ProjectNames.shared(ID)))
                .isEqualTo(MARKED.matcher(marked)
                        .replaceAll(name -> Matcher.quoteReplacement(real(name.group(1), name.group(2))))
                        .replace("⟪", "svc_functions.own_names((")
                        .replace("⟫", ")::pg_catalog.text)"));
    }

    /** What is sent of a script that the gate admits. */
    static String mapped(String sql, ProjectNames names) {
        Verdict verdict = GATE.judge(sql, names);
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Admitted.class);
        return ((Verdict.Admitted) verdict).script().text();
    }
}
