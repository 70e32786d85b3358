package svc.management.postgres;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.management.postgres.LocalStatement.Accepted;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * The settings of a client's session. Each statement outside of a transaction, and each transaction, has a session of its own
 * in PostgreSQL, which begins with them. The server has accepted each, or its value is evident.
 */
final class ClientSettings {
    /** A startup message of PostgreSQL has 10,000 bytes at most, with all that the platform sets. */
    private static final int MAX_BYTES = 6000;

    private static final int MAX_SETTINGS = 50;
    private static final String TIME_ZONE = "TimeZone";
    private static final String APPLICATION = "application_name";
    private static final String STATEMENT_TIMEOUT = "statement_timeout";

    /** What the server tells a client unasked, with the values of a session's beginning. */
    private static final Map<String, String> REPORTED =
            Map.of(TIME_ZONE, "UTC", "DateStyle", "ISO, MDY", "IntervalStyle", "postgres", APPLICATION, "");

    /** Settings that have an effect here, by their names in lower case: none decides how a text is read. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("timezone", TIME_ZONE),
            Map.entry("datestyle", "DateStyle"),
            Map.entry("intervalstyle", "IntervalStyle"),
            Map.entry(APPLICATION, APPLICATION),
            Map.entry("extra_float_digits", "extra_float_digits"),
            Map.entry("bytea_output", "bytea_output"),
            Map.entry(STATEMENT_TIMEOUT, STATEMENT_TIMEOUT),
            Map.entry("lock_timeout", "lock_timeout"),
            Map.entry("jit", "jit"),
            Map.entry("check_function_bodies", "check_function_bodies"),
            Map.entry("xmloption", "xmloption"),
            Map.entry("plan_cache_mode", "plan_cache_mode"));

    private static final Pattern PLANNER = Pattern.compile("enable_[a-z]{1,40}");

    /** A name with a dot belongs to the application; PostgreSQL itself gives it no meaning. */
    private static final Pattern CUSTOM = Pattern.compile("[a-z_][a-z0-9_$]*(?:\\.[a-z_][a-z0-9_$]*)+");

    private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,10})(ms|s|min|h|d|)");

    /** Limits that the platform's own clock keeps, and what changes nothing that could be seen here. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "client_min_messages",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout",
            "transaction_timeout",
            "synchronize_seqscans",
            "row_security");

    private final Duration longest;
    private Map<String, String> initial = Map.of(TIME_ZONE, "UTC");
    private Map<String, String> kept = initial;
    private Map<String, String> local = Map.of();
    private Map<String, String> reported = REPORTED;

    /** @param longest that a statement may run */
    ClientSettings(Duration longest) {
        this.longest = longest;
    }

    /** The settings at one moment. */
    record Snapshot(Map<String, String> kept, Map<String, String> local) {}

    /** What a SET statement means here; empty for a setting that is not the client's. */
    static Optional<LocalStatement> statement(String name, Optional<String> value, boolean local) {
        if (WITHOUT_EFFECT.contains(name)
                || value.filter(wanted -> inForce(name, wanted)).isPresent()) {
            return Optional.of(new Accepted("SET"));
        }
        Optional<TransactionModes> modes = value.flatMap(wanted -> TransactionModes.ofSetting(name, wanted));
        if (modes.isPresent()) {
            return Optional.of(new LocalStatement.Modes(modes.get(), name.startsWith("default_")));
        }
        return canonical(name).map(known -> new LocalStatement.Setting(known, value, local, "SET"));
    }

    /** The server's name of a setting of the client's. */
    static Optional<String> canonical(String name) {
        boolean custom = name.length() <= 63
                && CUSTOM.matcher(name).matches()
                && !name.startsWith("svc.")
                && !name.startsWith("plpgsql.");
        return custom || PLANNER.matcher(name).matches() ? Optional.of(name) : Optional.ofNullable(NAMES.get(name));
    }

    private static boolean inForce(String name, String value) {
        String plain = value.toLowerCase(Locale.ROOT).strip();
        return switch (name) {
            case "client_encoding" -> Set.of("utf8", "utf-8", "unicode").contains(plain);
            case "standard_conforming_strings" -> Set.of("on", "true", "1").contains(plain);
            case "backslash_quote" -> plain.equals("safe_encoding");
            default -> false;
        };
    }

    /** The server's form of a value that needs no question. */
    Optional<String> evident(String name, String value) {
        String plain = value.toLowerCase(Locale.ROOT).strip();
        return switch (name) {
            case APPLICATION -> Optional.of(printable(value));
            case TIME_ZONE -> plain.equals("utc") ? Optional.of("UTC") : Optional.empty();
            case "DateStyle" ->
                plain.equals("iso") && !kept.containsKey(name) || plain.equals("iso, mdy")
                        ? Optional.of("ISO, MDY")
                        : Optional.empty();
            case "IntervalStyle" -> oneOf(plain, "postgres", "postgres_verbose", "sql_standard", "iso_8601");
            case "bytea_output" -> oneOf(plain, "hex", "escape");
            case "extra_float_digits" -> oneOf(plain, "0", "1", "2", "3");
            case "jit" -> oneOf(plain, "on", "off");
            case STATEMENT_TIMEOUT, "lock_timeout" ->
                MILLISECONDS.matcher(plain).matches() ? Optional.of(plain) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> oneOf(String value, String... known) {
        return List.of(known).contains(value) ? Optional.of(value) : Optional.empty();
    }

    private static String printable(String name) {
        String ascii = name.chars()
                .limit(63)
                .map(c -> c < 0x20 || c > 0x7e ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return ascii;
    }

    /**
     * Records what the server has accepted.
     *
     * @throws svc.platform.problem.ProblemException for too many
     */
    void set(Map<String, String> accepted, boolean ofTransaction) {
        Map<String, String> more = new LinkedHashMap<>(ofTransaction ? local : kept);
        more.putAll(accepted);
        if (!ofTransaction && unlimited(more.get(STATEMENT_TIMEOUT))) {
            more.remove(STATEMENT_TIMEOUT);
        }
        int bytes = more.entrySet().stream()
                .mapToInt(entry -> length(entry.getKey()) + length(entry.getValue()))
                .sum();
        if (more.size() > MAX_SETTINGS || bytes > MAX_BYTES) {
            throw Problem.of(ProblemCode.SQL_TOO_LARGE, "The session has too many settings, or too long ones.")
                    .withHint("Reset some: at most " + MAX_SETTINGS + " with " + MAX_BYTES + " bytes are kept.")
                    .asException();
        }
        if (ofTransaction) {
            local = Map.copyOf(more);
        } else {
            kept = Map.copyOf(more);
            if (accepted.keySet().stream().anyMatch(local::containsKey)) {
                local = without(local, accepted.keySet());
            }
        }
    }

    private static Map<String, String> without(Map<String, String> settings, Set<String> names) {
        Map<String, String> fewer = new LinkedHashMap<>(settings);
        fewer.keySet().removeAll(names);
        return Map.copyOf(fewer);
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length + 1;
    }

    /** Whether a statement's timeout is none, or beyond that of the platform, which holds then. */
    private boolean unlimited(String value) {
        if (value == null) {
            return false;
        }
        var duration = DURATION.matcher(value);
        if (!duration.matches()) {
            return true;
        }
        long unit = switch (duration.group(2)) {
            case "s" -> 1000L;
            case "min" -> 60_000L;
            case "h" -> 3_600_000L;
            case "d" -> 86_400_000L;
            default -> 1L;
        };
        long millis = Long.parseLong(duration.group(1)) * unit;
        return millis == 0 || millis >= longest.toMillis();
    }

    /** The value at the session's beginning; empty for one that the server has of its own. */
    Optional<String> initial(String name) {
        return Optional.ofNullable(initial.get(name));
    }

    /** Whether the client has set it. */
    boolean has(String name) {
        return kept.containsKey(name) || local.containsKey(name);
    }

    void reset(String name) {
        Map<String, String> fewer = new LinkedHashMap<>(kept);
        fewer.remove(name);
        initial(name).ifPresent(value -> fewer.put(name, value));
        kept = Map.copyOf(fewer);
    }

    void resetAll() {
        kept = initial;
        local = Map.of();
    }

    /** From here on a reset leads to the values of now. */
    void begin() {
        initial = kept;
    }

    Snapshot snapshot() {
        return new Snapshot(kept, local);
    }

    void restore(Snapshot before) {
        kept = before.kept();
        local = before.local();
    }

    /** A transaction has ended: so have its settings. */
    void endTransaction() {
        local = Map.of();
    }

    /** The starting values of a session in PostgreSQL. */
    Map<String, String> forServer(TransactionModes modes) {
        Map<String, String> values = new LinkedHashMap<>(kept);
        values.remove(APPLICATION);
        modes.addTo(values);
        return values;
    }

    /** The parameters that the client has to know, and does not know with these values. */
    Map<String, String> unreported() {
        Map<String, String> now = new LinkedHashMap<>(REPORTED);
        for (String name : REPORTED.keySet()) {
            Optional.ofNullable(kept.get(name)).ifPresent(value -> now.put(name, value));
            Optional.ofNullable(local.get(name)).ifPresent(value -> now.put(name, value));
        }
        Map<String, String> changed = new LinkedHashMap<>(now);
        changed.entrySet().removeAll(reported.entrySet());
        reported = Map.copyOf(now);
        return changed;
    }
}
