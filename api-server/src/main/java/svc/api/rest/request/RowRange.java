package svc.api.rest.request;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.api.rest.error.RestError;

/**
 * Which rows of the result are wanted.
 *
 * @param offset rows to pass over
 * @param limit most rows to give; empty for all
 */
public record RowRange(long offset, OptionalLong limit) {
    private static final Pattern HEADER = Pattern.compile("(?:items=)?([0-9]{1,18})-([0-9]{1,18})?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    /** Every row. */
    public static final RowRange ALL = new RowRange(0, OptionalLong.empty());

    /** From {@code limit=} and {@code offset=}, as PostgREST reads them: text that is no number is passed over. */
    static RowRange read(Optional<String> limit, Optional<String> offset) {
        OptionalLong most = number(limit);
        if (most.isPresent() && most.getAsLong() < 0) {
            throw RestError.range("Limit should be greater than or equal to zero.");
        }
        return new RowRange(Math.max(0, number(offset).orElse(0)), most);
    }

    /** The narrower of this and what a Range header asks for; text that is no range is passed over. */
    RowRange within(Optional<String> header) {
        Matcher matcher = HEADER.matcher(header.map(String::strip).orElse(""));
        if (!matcher.matches()) {
            return this;
        }
        long from = Long.parseLong(matcher.group(1));
        OptionalLong asked = OptionalLong.empty();
        if (matcher.group(2) != null) {
            long to = Long.parseLong(matcher.group(2));
            if (to < from) {
                throw RestError.range(
                        "The lower boundary must be lower than or equal to the upper boundary in the Range header.");
            }
            asked = OptionalLong.of(to - from + 1);
        }
        return new RowRange(Math.max(offset, from), least(limit, asked));
    }

    /** With no more rows than {@code most}; 0 means no such limit. */
    public RowRange atMost(long most) {
        return most <= 0 ? this : new RowRange(offset, least(limit, OptionalLong.of(most)));
    }

    public boolean isAll() {
        return offset == 0 && limit.isEmpty();
    }

    private static OptionalLong number(Optional<String> text) {
        return text.filter(value -> NUMBER.matcher(value).matches())
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
