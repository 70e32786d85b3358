package svc.platform.projectlog;

import java.util.Arrays;
import java.util.Optional;

/** Where a line of a project's log comes from, under the names that Supabase's logs have. */
public enum LogSource {
    /** Requests of REST and GraphQL; as a table of queries, all requests. */
    EDGE(1, "edge_logs"),
    AUTH(2, "auth_logs"),
    STORAGE(3, "storage_logs"),
    REALTIME(4, "realtime_logs"),
    /** Calls of functions. */
    FUNCTION_EDGE(5, "function_edge_logs"),
    /** Errors of statements, and calls of the SQL endpoint. */
    POSTGRES(6, "postgres_logs"),
    /** What functions and their runtime print. */
    FUNCTION(7, "function_logs");

    private final int number;
    private final String wire;

    LogSource(int number, String wire) {
        this.number = number;
        this.wire = wire;
    }

    /** The number in the database; never changes. */
    public int number() {
        return number;
    }

    public String wire() {
        return wire;
    }

    /** The source by its name. */
    public static Optional<LogSource> ofWire(String name) {
        return Arrays.stream(values())
                .filter(source -> source.wire.equals(name))
                .findFirst();
    }

    /** The source by its number in the database. */
    public static Optional<LogSource> ofNumber(long number) {
        return Arrays.stream(values()).filter(source -> source.number == number).findFirst();
    }

    /** The source of requests to a service of the data plane. */
    public static LogSource ofService(String service) {
        return switch (service) {
            case "auth" -> AUTH;
            case "storage" -> STORAGE;
            case "realtime" -> REALTIME;
            case "functions" -> FUNCTION_EDGE;
            default -> EDGE;
        };
    }
}
