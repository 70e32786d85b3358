package svc.realtime.filter;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.catalog.DataType;

/**
 * Values of a type in an order that is PostgreSQL's own. Only the plain spellings of a value are read; what PostgreSQL also
 * accepts ({@code infinity}, {@code tomorrow}, a UUID in braces) is left to it.
 */
final class OrderedValue {
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,300}(\\.[0-9]{1,300})?");
    private static final Pattern FLOAT = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,20})?(e[+-]?[0-9]{1,3})?");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIMESTAMP = Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]"
            + "([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?)(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?");

    private OrderedValue() {}

    /** The value; empty when its type or its spelling is not known here. Values of one type compare with each other. */
    static Optional<Comparable<?>> of(DataType type, String text) {
        DataType base = type.underlying();
        if (base.form() == DataType.Form.ENUM) {
            int place = base.enumValues().indexOf(text);
            return place < 0 ? Optional.empty() : Optional.of(place);
        }
        if (!base.id().schema().equals("pg_catalog")) {
            return Optional.empty();
        }
        try {
            return builtin(base.name(), text);
        } catch (DateTimeException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Comparable<?>> builtin(String type, String text) {
        return switch (type) {
            case "int2", "int4", "int8" -> when(INTEGER, text).map(Long::valueOf);
            case "numeric" -> when(NUMBER, text).map(BigDecimal::new);
            // Zero has a sign in Java's order.
            case "float4" -> when(FLOAT, text).map(Float::valueOf).map(value -> value + 0.0f);
            case "float8" -> when(FLOAT, text).map(Double::valueOf).map(value -> value + 0.0);
            case "bool" -> bool(text);
            case "uuid" -> when(UUID, text).map(value -> value.toLowerCase(Locale.ROOT));
            case "date" -> when(DATE, text).map(LocalDate::parse).map(LocalDate::toEpochDay);
            case "timestamp" -> timestamp(text, false);
            case "timestamptz" -> timestamp(text, true);
            default -> Optional.empty();
        };
    }

    private static Optional<String> when(Pattern pattern, String text) {
        return Optional.of(text).filter(value -> pattern.matcher(value).matches());
    }

    private static Optional<Comparable<?>> bool(String text) {
        return switch (text) {
            case "t", "true" -> Optional.of(true);
            case "f", "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Comparable<?>> timestamp(String text, boolean zoned) {
        Matcher matcher = TIMESTAMP.matcher(text);
        if (!matcher.matches() || zoned != (matcher.group(3) != null)) {
            return Optional.empty();
        }
        LocalDateTime local = LocalDateTime.of(LocalDate.parse(matcher.group(1)), LocalTime.parse(matcher.group(2)));
        return Optional.of(
                local.minusSeconds(zoned ? ZoneOffset.of(zone(matcher.group(3))).getTotalSeconds() : 0));
    }

    private static String zone(String written) {
        return written.length() == 5 ? written.substring(0, 3) + ":" + written.substring(3) : written;
    }
}
