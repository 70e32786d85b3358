package svc.rest.request;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.rest.error.RestError;

/**
 * The {@code Prefer} header. An unknown preference is ignored, unless {@code handling=strict}.
 *
 * @param counting how all matching rows are counted; not at all if empty
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
    private static final String MAX_AFFECTED = "max-affected=";
    private static final Pattern AFFECTED = Pattern.compile("[0-9]{1,18}");

    /** Made once: a header may name thousands. */
    private static final Set<String> KNOWN = Stream.of(
                    words("tx", Transaction.values()),
                    words("handling", Handling.values()),
                    words("count", Count.values()),
                    words("resolution", Resolution.values()),
                    words("missing", Missing.values()),
                    words("return", Representation.values()))
            .flatMap(each -> each)
            .collect(Collectors.toUnmodifiableSet());

    private static final Preferences NONE = new Preferences(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty());

    /** How an insert handles duplicates. */
    public enum Resolution {
        MERGE_DUPLICATES,
        IGNORE_DUPLICATES
    }

    /** The meaning of an absent key of the body. */
    public enum Missing {
        DEFAULT,
        NULL
    }

    /** How matching rows are counted. */
    public enum Count {
        EXACT,
        /** The planner's estimate. */
        PLANNED,
        /** Exact up to max-rows, otherwise the planner's estimate. */
        ESTIMATED
    }

    /** The response of a write. */
    public enum Representation {
        MINIMAL,
        HEADERS_ONLY,
        REPRESENTATION
    }

    /** How the transaction ends, if the project allows the override. */
    public enum Transaction {
        COMMIT,
        ROLLBACK
    }

    /** Handling of unknown preferences. */
    public enum Handling {
        STRICT,
        LENIENT
    }

    /** Parses all Prefer headers of a request. */
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
            throw RestError.invalidPreferences(String.join(", ", unknown));
        }
        return new Preferences(
                find(given, "resolution", Resolution.values()),
                find(given, "missing", Missing.values()),
                find(given, "return", Representation.values()),
                find(given, "count", Count.values()),
                find(given, "tx", Transaction.values()),
                handling,
                PreferredTimezone.of(given),
                given.stream()
                        .filter(Preferences::isMaxAffected)
                        .mapToLong(text -> Long.parseLong(text.substring(MAX_AFFECTED.length())))
                        .findFirst());
    }

    /** Maximum number of rows that a write may affect; only with {@code handling=strict}. */
    public OptionalLong strictMaxAffected() {
        return handling.filter(Handling.STRICT::equals).isPresent() ? maxAffected : OptionalLong.empty();
    }

    /** Whether all matching rows are counted. */
    public boolean count() {
        return counting.isPresent();
    }

    public boolean returns(Representation what) {
        return representation.orElse(Representation.MINIMAL) == what;
    }

    /**
     * The value of Preference-Applied, in PostgREST's order; empty if none was applied.
     *
     * @param resolved whether an insert resolved duplicates
     * @param overridden whether the caller's preference {@code tx} was applied
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
        timezone.ifPresent(value -> applied.add(PreferredTimezone.NAME + value));
        if (action != ApiRequest.Action.READ && action != ApiRequest.Action.INSERT) {
            strictMaxAffected().ifPresent(value -> applied.add("max-affected=" + value));
        }
        return String.join(", ", applied);
    }

    private static boolean understood(String text) {
        return KNOWN.contains(text) || isMaxAffected(text) || text.startsWith(PreferredTimezone.NAME);
    }

    private static boolean isMaxAffected(String text) {
        return text.startsWith(MAX_AFFECTED) && AFFECTED.matches(text.substring(MAX_AFFECTED.length()));
    }

    private static Stream<String> words(String name, Enum<?>[] values) {
        return Stream.of(values).map(value -> name + "=" + word(value));
    }

    private static <E extends Enum<E>> Optional<E> find(List<String> given, String name, E[] values) {
        Map<String, E> byText =
                Stream.of(values).collect(Collectors.toMap(value -> name + "=" + word(value), value -> value));
        return given.stream().filter(byText::containsKey).findFirst().map(byText::get);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
