package svc.database.sql;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The rules that identifiers and literals share about characters. */
final class SqlText {
    private SqlText() {}

    /**
     * Length in UTF-8 bytes, which is what PostgreSQL counts.
     *
     * @throws IllegalArgumentException for NUL, which would end the text early on the wire, and for a lone surrogate,
     *     which has no UTF-8 form and would silently become a question mark: another name than the one asked for.
     */
    static int utf8Length(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " contains NUL");
        }
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " is not valid Unicode", e);
        }
    }

    static String doubled(String text, char quote) {
        String one = String.valueOf(quote);
        return text.replace(one, one + one);
    }
}
