package svc.extensions.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * When a job runs, in UTC. The database reads schedules ({@code svc_cron.calendar}, with pg_cron's rules); what it makes of one is
 * interpreted here. Pure.
 */
public sealed interface Calendar {
    /** Every combination of month, day and weekday occurs within eight years: 29 February is left out in 2100. */
    int SEARCHED_DAYS = 8 * 366 + 1;

    /** The first time after {@code instant}; empty for a date that does not exist, such as 31 February. */
    Optional<Instant> next(Instant instant);

    /** @param values as {@code svc_cron.calendar} returns them */
    static Calendar of(List<Long> values) {
        if (values.size() == 1) {
            return new Every(values.getFirst());
        }
        if (values.size() != 6) {
            throw new IllegalArgumentException("a calendar has 1 or 6 values, not " + values.size());
        }
        return new Fields(
                values.get(0), values.get(1), values.get(2), values.get(3), values.get(4), values.get(5) == 1);
    }

    /** @param seconds between two times */
    record Every(long seconds) implements Calendar {
        @Override
        public Optional<Instant> next(Instant instant) {
            return Optional.of(instant.plusSeconds(seconds));
        }
    }

    /**
     * A bit for each value: minutes, hours, days of the month, months, and days of the week with Sunday as 0.
     *
     * @param days bit 32 is the last day of a month
     * @param eitherDay whether a day of the month or one of the week is enough, as when both are restricted
     */
    record Fields(long minutes, long hours, long days, long months, long weekdays, boolean eitherDay)
            implements Calendar {
        private static final int LAST_DAY = 32;

        @Override
        public Optional<Instant> next(Instant instant) {
            LocalDateTime from = LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                    .withSecond(0)
                    .withNano(0)
                    .plusMinutes(1);
            LocalDate day = from.toLocalDate();
            int minuteOfDay = from.getHour() * 60 + from.getMinute();
            for (int searched = 0; searched < SEARCHED_DAYS; searched++) {
                Optional<LocalDateTime> found = matches(day) ? at(day, minuteOfDay) : Optional.empty();
                if (found.isPresent()) {
                    return found.map(time -> time.toInstant(ZoneOffset.UTC));
                }
                day = day.plusDays(1);
                minuteOfDay = 0;
            }
            return Optional.empty();
        }

        private boolean matches(LocalDate day) {
            if (!has(months, day.getMonthValue())) {
                return false;
            }
            boolean ofMonth = has(days, day.getDayOfMonth())
                    || (has(days, LAST_DAY) && day.getDayOfMonth() == day.lengthOfMonth());
            boolean ofWeek = has(weekdays, day.getDayOfWeek().getValue() % 7);
            return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
        }

        private Optional<LocalDateTime> at(LocalDate day, int firstMinute) {
            for (int hour = firstMinute / 60; hour < 24; hour++) {
                int from = hour == firstMinute / 60 ? firstMinute % 60 : 0;
                long rest = has(hours, hour) ? minutes >>> from << from : 0;
                if (rest != 0) {
                    return Optional.of(day.atTime(hour, Long.numberOfTrailingZeros(rest)));
                }
            }
            return Optional.empty();
        }

        private static boolean has(long bits, int value) {
            return (bits >>> value & 1) == 1;
        }
    }
}
