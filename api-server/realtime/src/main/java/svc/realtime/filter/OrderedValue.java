package svc.realtime.filter;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import svc.catalog.DataType;
import svc.realtime.message.TextCursor;

/**
 * Values of a type in an order that is PostgreSQL's own. Only the plain spellings of a value are read; what PostgreSQL also
 * accepts ({@code infinity}, {@code tomorrow}, a UUID in braces) is left to it.
 */
final class OrderedValue {
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
            case "int2", "int4", "int8" -> when(text, OrderedValue::isInteger).map(Long::valueOf);
            case "numeric" -> when(text, OrderedValue::isNumber).map(BigDecimal::new);
            // Zero has a sign in Java's order.
            case "float4" ->
                when(text, OrderedValue::isFloat).map(Float::valueOf).map(value -> value + 0.0f);
            case "float8" ->
                when(text, OrderedValue::isFloat).map(Double::valueOf).map(value -> value + 0.0);
            case "bool" -> bool(text);
            case "uuid" -> when(text, OrderedValue::isUuid).map(value -> value.toLowerCase(Locale.ROOT));
            case "date" ->
                when(text, cursor -> takeDate(cursor) && cursor.atEnd())
                        .map(LocalDate::parse)
                        .map(LocalDate::toEpochDay);
            case "timestamp" -> timestamp(text, false);
            case "timestamptz" -> timestamp(text, true);
            default -> Optional.empty();
        };
    }

    private static Optional<String> when(String text, Predicate<TextCursor> spelled) {
        return Optional.of(text).filter(value -> spelled.test(new TextCursor(value)));
    }

    private static boolean isInteger(TextCursor text) {
        text.take("-");
        return text.takeDigits(1, 18) && text.atEnd();
    }

    private static boolean isNumber(TextCursor text) {
        return takeDecimal(text, 300) && text.atEnd();
    }

    private static boolean isFloat(TextCursor text) {
        return takeDecimal(text, 20) && (!text.take("e") || takeExponent(text)) && text.atEnd();
    }

    private static boolean takeDecimal(TextCursor text, int max) {
        text.take("-");
        return text.takeDigits(1, max) && (!text.take(".") || text.takeDigits(1, max));
    }

    private static boolean takeExponent(TextCursor text) {
        text.take("+-");
        return text.takeDigits(1, 3);
    }

    private static boolean isUuid(TextCursor text) {
        return text.takeHex(8)
                && text.take("-")
                && text.takeHex(4)
                && text.take("-")
                && text.takeHex(4)
                && text.take("-")
                && text.takeHex(4)
                && text.take("-")
                && text.takeHex(12)
                && text.atEnd();
    }

    private static boolean takeDate(TextCursor text) {
        return text.takeDigits(4, 4)
                && text.take("-")
                && text.takeDigits(2, 2)
                && text.take("-")
                && text.takeDigits(2, 2);
    }

    private static boolean takeTime(TextCursor text) {
        return text.takeDigits(2, 2)
                && text.take(":")
                && text.takeDigits(2, 2)
                && text.take(":")
                && text.takeDigits(2, 2)
                && (!text.take(".") || text.takeDigits(1, 6));
    }

    private static Optional<Comparable<?>> bool(String text) {
        return switch (text) {
            case "t", "true" -> Optional.of(true);
            case "f", "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Comparable<?>> timestamp(String text, boolean zoned) {
        var cursor = new TextCursor(text);
        if (!takeDate(cursor)) {
            return Optional.empty();
        }
        String date = cursor.since(0);
        if (!cursor.take(" T")) {
            return Optional.empty();
        }
        int time = cursor.position();
        if (!takeTime(cursor)) {
            return Optional.empty();
        }
        var local = LocalDateTime.of(LocalDate.parse(date), LocalTime.parse(cursor.since(time)));
        if (!zoned) {
            return cursor.atEnd() ? Optional.of(local) : Optional.empty();
        }
        int zone = cursor.position();
        return takeZone(cursor)
                ? Optional.of(local.minusSeconds(
                        ZoneOffset.of(zone(cursor.since(zone))).getTotalSeconds()))
                : Optional.empty();
    }

    /** {@code Z}, or hours and perhaps minutes from UTC, at the end of the text. */
    private static boolean takeZone(TextCursor text) {
        if (text.take("Z")) {
            return text.atEnd();
        }
        if (!text.take("+-")) {
            return false;
        }
        int hours = text.position();
        int digits = text.takeAll("0123456789");
        return text.atEnd() ? digits == 2 || digits == 4 : hours + 2 == text.position() && takeMinutes(text);
    }

    private static boolean takeMinutes(TextCursor text) {
        return text.take(":") && text.takeDigits(2, 2) && text.atEnd();
    }

    private static String zone(String written) {
        return written.length() == 5 ? written.substring(0, 3) + ":" + written.substring(3) : written;
    }
}
