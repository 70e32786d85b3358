package svc.postgres.script;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.postgres.wire.ParameterStatus;

/**
 * The starting values of a session's parameters, and the values that its server reports. Neither is trusted to last: a
 * script can change every parameter of its session, and store others for the next one.
 */
final class SessionSettings {
    /** How often the server checks the connection: a script does not outlive the instance that runs it. */
    private static final String CLIENT_CHECK_INTERVAL = "2s";

    private static final String ENCODING = "client_encoding";
    private static final String VERSION = "server_version";
    private static final Pattern MAJOR_VERSION = Pattern.compile("\\d{1,4}");
    private static final String STRINGS = "standard_conforming_strings";

    /**
     * Starting values override those that ALTER ROLE … SET has stored. A script can store any for its own role, and these
     * could end the next session or change how it reads and writes.
     */
    private static final Map<String, String> STARTING_VALUES = Map.ofEntries(
            Map.entry("application_name", "svc-sql"),
            Map.entry("client_connection_check_interval", CLIENT_CHECK_INTERVAL),
            Map.entry(ENCODING, "UTF8"),
            Map.entry(STRINGS, "on"),
            Map.entry("role", "none"),
            Map.entry("local_preload_libraries", ""),
            Map.entry("default_transaction_read_only", "off"),
            Map.entry("default_transaction_isolation", "read committed"),
            Map.entry("default_transaction_deferrable", "off"),
            Map.entry("idle_session_timeout", "0"),
            Map.entry("idle_in_transaction_session_timeout", "60s"),
            Map.entry("DateStyle", "ISO"),
            Map.entry("IntervalStyle", "postgres"),
            Map.entry("extra_float_digits", "1"),
            Map.entry("bytea_output", "hex"));

    private final Map<String, String> reported = new HashMap<>();

    /** @param more settings of one run, which win */
    static Map<String, String> startingValues(Map<String, String> more) {
        Map<String, String> values = new LinkedHashMap<>(STARTING_VALUES);
        values.putAll(more);
        return values;
    }

    /** Records a parameter that the server reported. */
    void reported(ParameterStatus parameter) {
        reported.put(parameter.name(), parameter.value());
    }

    /**
     * Whether the server still writes UTF-8. It reports a change only at the end of a message, and not at all when the
     * change was reverted by then.
     */
    boolean writesUtf8() {
        return "UTF8".equals(reported.get(ENCODING));
    }

    /** Whether the server can end a transaction by its own clock: PostgreSQL 17 and newer. */
    boolean knowsTransactionTimeout() {
        Matcher major = MAJOR_VERSION.matcher(reported.getOrDefault(VERSION, ""));
        return major.lookingAt() && Integer.parseInt(major.group()) >= 17;
    }

    /** Whether the server would read a text as the gate did. */
    boolean readsAsJudged() {
        return writesUtf8() && "on".equals(reported.get(STRINGS));
    }
}
