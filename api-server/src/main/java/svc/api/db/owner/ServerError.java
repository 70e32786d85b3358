package svc.api.db.owner;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What PostgreSQL answers instead of a result.
 *
 * @param sqlState five characters, PostgreSQL's appendix A
 * @param position 1-based, in characters of the text that was sent; empty when the error is of no place in it
 */
public record ServerError(
        String sqlState,
        String message,
        Optional<String> detail,
        Optional<String> hint,
        Optional<String> where,
        Optional<Integer> position) {
    static ServerError of(byte[] content) {
        Map<Character, String> fields = new HashMap<>();
        int at = 0;
        while (at < content.length && content[at] != 0) {
            int end = at + 1;
            while (end < content.length && content[end] != 0) {
                end++;
            }
            fields.put((char) content[at], new String(content, at + 1, end - at - 1, StandardCharsets.UTF_8));
            at = end + 1;
        }
        return new ServerError(
                fields.getOrDefault('C', "XX000"),
                fields.getOrDefault('M', ""),
                Optional.ofNullable(fields.get('D')),
                Optional.ofNullable(fields.get('H')),
                Optional.ofNullable(fields.get('W')),
                Optional.ofNullable(fields.get('P')).map(Integer::valueOf));
    }
}
