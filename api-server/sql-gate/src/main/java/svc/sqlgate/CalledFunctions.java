package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.Map;
import java.util.Optional;

/**
 * Functions of PostgreSQL that reach beyond a project: the server's files, other sessions, replication, text that is run
 * as SQL. The server refuses most of them by itself; here the caller gets the reason.
 */
final class CalledFunctions {
    private static final Map<Pattern, String> FORBIDDEN = Map.of(
            Pattern.compile(
                    "pg_(read|stat|ls|file|write)_?.*(file|dir|logdir|waldir|tmpdir).*|pg_(current_logfile|ls_.*|file_.*)"),
            "It reads the server's files. Keep files in the project's storage.",
            Pattern.compile("lo_.*|loread|lowrite"),
            "Large objects belong to no schema. Keep bytes in a bytea column, or files in the project's storage.",
            Pattern.compile("dblink.*|postgres_fdw_.*"),
            "SQL here reaches no other database.",
            Pattern.compile("pg_(cancel|terminate)_backend|pg_log_backend_memory_contexts|pg_signal_.*|pg_reload_conf"
                    + "|pg_rotate_logfile.*|pg_promote|pg_switch_wal|pg_create_restore_point|pg_(start|stop)_backup"
                    + "|pg_backup_(start|stop)|pg_wal_replay_.*|pg_export_snapshot|pg_import_system_collations"),
            "It acts on the whole server.",
            Pattern.compile("pg_(create|drop|copy|sync|logical|replication|get_replication|show_replication)_.*slots?.*"
                    + "|pg_logical_.*|pg_replication_.*"),
            "Replication belongs to the platform.",
            Pattern.compile("(query|table|cursor|schema|database)_to_xml.*|ts_stat|xpath_table|crosstab.*|connectby"
                    + "|query_to_json"),
            "It runs text as SQL that was not checked. Write the query itself.",
            Pattern.compile("pg_notify"),
            "Channels are shared by all projects of a server. Use realtime to send messages.");

    private CalledFunctions() {}

    /** @param names the parts of the function's name, a schema first where one was written */
    static Optional<Finding> judge(JsonNode names) {
        String name = QualifiedName.last(names);
        return FORBIDDEN.entrySet().stream()
                .filter(entry -> entry.getKey().matcher(name).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .map(why -> Finding.object("the function " + name, why));
    }
}
