package svc.rest.request;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.rest.error.RestError;

/**
 * The {@code Prefer} header. A preference that is not understood is not an error, unless {@code handling=strict}.
 *
 * @param counting how the rows of the whole result are counted; not at all when empty
 */
public record Preferences(
        Optional<Resolution> resolution,
        Optional<Missing> missing,
        Optional<Representation> representation,
        Optional<Count> counting,
        Optional<Transaction> transaction,
        Optional<Handling> handling,
        Optional<String> timezone,
        OptionalLong maxAffected) {
    private static final String TIMEZONE = "timezone=";
    private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());
    private static final Preferences NONE = new Preferences(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty());

    /** What an insert does with a row whose key exists. */
    public enum Resolution {
        MERGE_DUPLICATES,
        IGNORE_DUPLICATES
    }

    /** What an absent key of the body stands for. */
    public enum Missing {
        DEFAULT,
        NULL
    }

    /** How rows are counted. */
    public enum Count {
        EXACT,
        /** As many as the planner expects. */
        PLANNED,
        /** Exactly as long as they are few, otherwise as planned. */
        ESTIMATED
    }

    /** What a write answers. */
    public enum Representation {
        MINIMAL,
        HEADERS_ONLY,
        REPRESENTATION
    }

    /** How the transaction ends, where the project leaves that to the caller. */
    public enum Transaction {
        COMMIT,
        ROLLBACK
    }

    /** Of preferences that are not understood. */
    public enum Handling {
        STRICT,
        LENIENT
    }

    /** Reads all Prefer headers of a request. */
    static Preferences read(List<String> headers) {
        if (headers.isEmpty()) {
            return NONE;
        }
        List<String> given = headers.stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        Optional<Handling> handling = find(given, "handling", Handling.values());
        List<String> unknown = given.stream().filter(text -> !understood(text)).toList();
        if (handling.filter(Handling.STRICT::equals).isPresent() && !unknown.isEmpty()) {
            throw RestError.preferences(String.join(", ", unknown));
        }
        return new Preferences(
                find(given, "resolution", Resolution.values()),
                find(given, "missing", Missing.values()),
                find(given, "return", Representation.values()),
                find(given, "count", Count.values()),
                find(given, "tx", Transaction.values()),
                handling,
                given.stream()
                        .filter(Preferences::isTimezone)
                        .map(text -> text.substring(TIMEZONE.length()))
                        .findFirst(),
                given.stream()
                        .filter(text -> text.matches("max-affected=[0-9]{1,18}"))
                        .mapToLong(text -> Long.parseLong(text.substring("max-affected=".length())))
                        .findFirst());
    }

    /** The most rows a write may touch; only a strict request is held to it. */
    public OptionalLong strictMaxAffected() {
        return handling.filter(Handling.STRICT::equals).isPresent() ? maxAffected : OptionalLong.empty();
    }

    /** Whether all rows are to be counted, in whatever way. */
    public boolean count() {
        return counting.isPresent();
    }

    public boolean returns(Representation what) {
        return representation.orElse(Representation.MINIMAL) == what;
    }

    /**
     * The value of Preference-Applied, in PostgREST's order; empty when none was applied.
     *
     * @param resolved whether an insert looked for duplicates
     * @param overridden whether the project let the caller say how the transaction ends
     */
    public String applied(ApiRequest.Action action, boolean resolved, boolean overridden) {
        List<String> applied = new ArrayList<>();
        if (action == ApiRequest.Action.INSERT) {
            resolution.filter(unused -> resolved).ifPresent(value -> applied.add("resolution=" + word(value)));
        }
        if (action == ApiRequest.Action.INSERT || action == ApiRequest.Action.UPDATE) {
            missing.ifPresent(value -> applied.add("missing=" + word(value)));
        }
        if (action.writes()) {
            representation.ifPresent(value -> applied.add("return=" + word(value)));
        }
        counting.ifPresent(value -> applied.add("count=" + word(value)));
        transaction.filter(unused -> overridden).ifPresent(value -> applied.add("tx=" + word(value)));
        handling.ifPresent(value -> applied.add("handling=" + word(value)));
        timezone.ifPresent(value -> applied.add(TIMEZONE + value));
        if (action != ApiRequest.Action.READ && action != ApiRequest.Action.INSERT) {
            strictMaxAffected().ifPresent(value -> applied.add("max-affected=" + value));
        }
        return String.join(", ", applied);
    }

    /** A name that PostgreSQL will know: both take them from the same database of time zones. */
    private static boolean isTimezone(String text) {
        return text.startsWith(TIMEZONE) && ZONES.contains(text.substring(TIMEZONE.length()));
    }

    private static boolean understood(String text) {
        return text.matches("max-affected=[0-9]{1,18}")
                || isTimezone(text)
                || Stream.of(
                                words("tx", Transaction.values()),
                                words("handling", Handling.values()),
                                words("count", Count.values()),
                                words("resolution", Resolution.values()),
                                words("missing", Missing.values()),
                                words("return", Representation.values()))
                        .anyMatch(known -> known.contains(text));
    }

    private static List<String> words(String name, Enum<?>[] values) {
        return Stream.of(values).map(value -> name + "=" + word(value)).collect(Collectors.toList());
    }

    private static <E extends Enum<E>> Optional<E> find(List<String> given, String name, E[] values) {
        return given.stream()
                .flatMap(text -> Stream.of(values).filter(value -> text.equals(name + "=" + word(value))))
                .findFirst();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
