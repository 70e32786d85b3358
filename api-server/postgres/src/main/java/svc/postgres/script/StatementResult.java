package svc.postgres.script;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of one statement.
 *
 * @param tag the server's: {@code CREATE TABLE}, {@code INSERT 0 2}, …
 * @param rows empty when it returned none, or when they were not asked for
 */
public record StatementResult(String tag, Optional<ResultRows> rows) {
    /** The tag without its numbers. */
    public String command() {
        int end = tag.length();
        while (end > 0 && (Character.isDigit(tag.charAt(end - 1)) || tag.charAt(end - 1) == ' ')) {
            end--;
        }
        return tag.substring(0, end);
    }

    /** Rows returned or changed; empty for a command that has no count. */
    public OptionalLong rowCount() {
        String last = tag.substring(tag.lastIndexOf(' ') + 1);
        return !last.isEmpty() && last.chars().allMatch(Character::isDigit)
                ? OptionalLong.of(Long.parseLong(last))
                : OptionalLong.empty();
    }
}
