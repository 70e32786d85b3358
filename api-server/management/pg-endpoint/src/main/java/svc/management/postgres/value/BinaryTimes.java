package svc.management.postgres.value;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Days and microseconds since 2000-01-01, as PostgreSQL counts, and the ISO texts of the same. */
final class BinaryTimes {
    private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
    private static final String INFINITY = "infinity";
    private static final String BEFORE = " BC";

    /** The days of Julian day 0, 4714-11-24 BC, and of 5874898-01-01, which is no date any more ({@code datatype/timestamp.h}). */
    private static final int FIRST_DAY = -2_451_545;

    private static final int END_DAY = 2_145_031_949;

    /** The same day, and 294277-01-01, in microseconds. */
    private static final long FIRST_MICROS = -211_813_488_000_000_000L;

    private static final long END_MICROS = 9_223_371_331_200_000_000L;

    private static final long DAY_MICROS = 86_400_000_000L;

    private static final DateTimeFormatter DAY = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 7, SignStyle.NEVER)
            .appendPattern("-MM-dd")
            .toFormatter();

    private BinaryTimes() {}

    static int days(String text) {
        if (text.endsWith(INFINITY)) {
            return text.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return (int) ChronoUnit.DAYS.between(EPOCH, day(text));
    }

    static String date(int days) {
        if (days == Integer.MAX_VALUE || days == Integer.MIN_VALUE) {
            return days < 0 ? "-" + INFINITY : INFINITY;
        }
        if (days < FIRST_DAY || days >= END_DAY) {
            throw InvalidValueException.range("date");
        }
        LocalDate day = EPOCH.plusDays(days);
        return DAY.format(day) + (day.getYear() < 1 ? BEFORE : "");
    }

    private static LocalDate day(String text) {
        boolean before = text.endsWith(BEFORE);
        String[] parts = (before ? text.substring(0, text.length() - BEFORE.length()) : text).split("-");
        int year = Integer.parseInt(parts[0]);
        return LocalDate.of(before ? 1 - year : year, Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    static long microsOfDay(String text) {
        // The one time that Java does not have.
        return text.equals("24:00:00")
                ? DAY_MICROS
                : ChronoUnit.MICROS.between(LocalTime.MIDNIGHT, LocalTime.parse(text));
    }

    static String time(long micros) {
        // Before the product: that of 2^62 is 0.
        if (micros < 0 || micros > DAY_MICROS) {
            throw InvalidValueException.range("time");
        }
        return micros == DAY_MICROS
                ? "24:00:00"
                : LocalTime.ofNanoOfDay(micros * 1000).toString();
    }

    /** Of {@code 2030-01-31 12:00:00.5}, with {@code +05:30} behind it for a time with a zone. */
    static long micros(String text) {
        if (text.endsWith(INFINITY)) {
            return text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        boolean before = text.endsWith(BEFORE);
        String plain = before ? text.substring(0, text.length() - BEFORE.length()) : text;
        int space = plain.indexOf(' ');
        String rest = plain.substring(space + 1);
        int zone = Math.max(rest.indexOf('+'), rest.indexOf('-'));
        LocalTime time = LocalTime.parse(zone < 0 ? rest : rest.substring(0, zone));
        long offset = zone < 0 ? 0 : ZoneOffset.of(rest.substring(zone)).getTotalSeconds();
        LocalDateTime at = LocalDateTime.of(day(plain.substring(0, space) + (before ? BEFORE : "")), time);
        return ChronoUnit.MICROS.between(EPOCH.atStartOfDay(), at) - offset * 1_000_000;
    }

    /** @param zone {@code +00} for a time with a zone */
    static String timestamp(long micros, String zone) {
        if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
            return micros < 0 ? "-" + INFINITY : INFINITY;
        }
        if (micros < FIRST_MICROS || micros >= END_MICROS) {
            throw InvalidValueException.range("timestamp");
        }
        LocalDateTime at = EPOCH.atStartOfDay().plus(micros, ChronoUnit.MICROS);
        return DAY.format(at) + " " + at.toLocalTime() + zone + (at.getYear() < 1 ? BEFORE : "");
    }
}
