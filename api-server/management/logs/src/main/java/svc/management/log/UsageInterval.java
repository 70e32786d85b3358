package svc.management.log;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The times over which requests are counted, by the names of Supabase's Management API. Pure. */
enum UsageInterval {
    QUARTER("15min", Duration.ofMinutes(15), "toStartOfMinute"),
    HALF_HOUR("30min", Duration.ofMinutes(30), "toStartOfMinute"),
    HOUR("1hr", Duration.ofHours(1), "toStartOfMinute"),
    THREE_HOURS("3hr", Duration.ofHours(3), "toStartOfMinute"),
    DAY("1day", Duration.ofDays(1), "toStartOfHour"),
    THREE_DAYS("3day", Duration.ofDays(3), "toStartOfDay"),
    /** As far as the log reaches back. */
    WEEK("7day", Duration.ofDays(7), "toStartOfDay");

    /** One row for all services. Lines without a status are no requests. */
    static final String ALL_REQUESTS = "select count(*) as count from logs where status is not null";

    private static final String COUNTS = "select %s(timestamp) as timestamp,"
            + " countIf(source = 'auth_logs') as total_auth_requests,"
            + " countIf(source = 'realtime_logs') as total_realtime_requests,"
            // As a source of a query, edge_logs has the requests to all services.
            + " countIf(source = 'edge_logs' and source not in ('auth_logs', 'realtime_logs', 'storage_logs',"
            + " 'function_edge_logs')) as total_rest_requests,"
            + " countIf(source = 'storage_logs') as total_storage_requests"
            + " from logs where status is not null group by 1 order by 1 limit 1000";

    private static final String OF_FUNCTION = "select %s(timestamp) as timestamp,"
            + " countIf(source = 'function_edge_logs') as requests_count,"
            + " countIf(source = 'function_edge_logs' and status between 200 and 299) as success_count,"
            + " countIf(source = 'function_edge_logs' and status between 300 and 399) as redirect_count,"
            + " countIf(source = 'function_edge_logs' and status between 400 and 499) as client_err_count,"
            + " countIf(source = 'function_edge_logs' and status >= 500) as server_err_count,"
            + " avg(duration_ms) as avg_execution_time, max(duration_ms) as max_execution_time,"
            + " countIf(source = 'function_logs') as log_count,"
            + " countIf(source = 'function_logs' and severity_text = 'INFO') as log_info_count,"
            + " countIf(source = 'function_logs' and severity_text = 'WARN') as log_warn_count,"
            + " countIf(source = 'function_logs' and severity_text = 'ERROR') as log_error_count"
            + " from logs where source in ('function_edge_logs', 'function_logs')"
            + " and log_attributes['function_name'] = '%s' group by 1 order by 1 limit 1000";

    private final String wire;
    private final Duration length;
    private final String startOf;

    UsageInterval(String wire, Duration length, String startOf) {
        this.wire = wire;
        this.length = length;
        this.startOf = startOf;
    }

    /** @throws svc.platform.problem.ProblemException 400 with the list of intervals for any other text */
    static UsageInterval ofWire(String text) {
        if (text == null || text.isBlank()) {
            return DAY;
        }
        return Arrays.stream(values())
                .filter(interval -> interval.wire.equals(text))
                .findFirst()
                .orElseThrow(() -> Problem.of(
                                ProblemCode.INVALID_PARAMETER,
                                "The parameter interval must be one of "
                                        + Arrays.stream(values())
                                                .map(interval -> interval.wire)
                                                .collect(Collectors.joining(", "))
                                        + ".")
                        .asException());
    }

    Duration length() {
        return length;
    }

    /** The log query that counts the requests of each service. */
    String counts() {
        return COUNTS.formatted(startOf);
    }

    /**
     * The log query that counts the calls and the lines of a function.
     *
     * @param name of the function: letters, digits, hyphens and underscores
     */
    String ofFunction(String name) {
        return OF_FUNCTION.formatted(startOf, name.replace("'", "''"));
    }
}
