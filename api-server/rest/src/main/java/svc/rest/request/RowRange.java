package svc.rest.request;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;
import java.util.OptionalLong;
import svc.rest.error.RestError;

/**
 * The range of rows of a result.
 *
 * @param offset number of rows to skip
 * @param limit maximum number of rows; empty for all
 */
public record RowRange(long offset, OptionalLong limit) {
    private static final Pattern HEADER = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    private static final String NEGATIVE = "Limit should be greater than or equal to zero.";
    private static final long NO_END = Long.MAX_VALUE;

    /** Every row. */
    public static final RowRange ALL = new RowRange(0, OptionalLong.empty());

    /** Parses {@code limit=} and {@code offset=} as PostgREST does: text that is not a number is ignored. */
    static RowRange read(Optional<String> limit, Optional<String> offset) {
        OptionalLong most = number(limit);
        if (most.isPresent() && most.getAsLong() < 0) {
            throw RestError.invalidRange(NEGATIVE);
        }
        return new RowRange(Math.max(0, number(offset).orElse(0)), most);
    }

    /** The intersection with a Range header; an invalid header is ignored. */
    RowRange within(Optional<String> header) {
        Matcher matcher = HEADER.matcher(header.map(String::strip).orElse(""));
        if (!matcher.matches()) {
            return this;
        }
        long from = Long.parseLong(matcher.group(1));
        long to = matcher.group(2) == null ? NO_END : Long.parseLong(matcher.group(2));
        if (to < from) {
            throw RestError.invalidRange(
                    "The lower boundary must be lower than or equal to the upper boundary in the Range header.");
        }
        if (limit.equals(OptionalLong.of(0))) {
            return this;
        }
        long first = Math.max(offset, from);
        long end = Math.min(limit.isPresent() ? offset + limit.getAsLong() - 1 : NO_END, to);
        if (end < first) {
            throw RestError.invalidRange(NEGATIVE);
        }
        return new RowRange(first, end == NO_END ? OptionalLong.empty() : OptionalLong.of(end - first + 1));
    }

    /** Limited to {@code most} rows; 0 means unlimited. */
    public RowRange atMost(long most) {
        return most <= 0 ? this : new RowRange(offset, least(limit, OptionalLong.of(most)));
    }

    public boolean isAll() {
        return offset == 0 && limit.isEmpty();
    }

    /** Whether the value of {@code limit=} or {@code offset=} is read. */
    static boolean isNumber(String text) {
        return NUMBER.matcher(text.strip()).matches();
    }

    private static OptionalLong number(Optional<String> text) {
        return text.map(String::strip)
                .filter(value -> NUMBER.matcher(value).matches())
                .map(value -> OptionalLong.of(Long.parseLong(value)))
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong least(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
    }
}
