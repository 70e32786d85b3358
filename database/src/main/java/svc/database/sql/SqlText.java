package svc.database.sql;

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
        int bytes = 0;
        for (int at = 0; at < text.length(); ) {
            int character = text.codePointAt(at);
            if (character == 0) {
                throw new IllegalArgumentException(what + " contains NUL");
            }
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(what + " is not valid Unicode");
            }
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            at += Character.charCount(character);
        }
        return bytes;
    }

    static String doubled(String text, char quote) {
        if (text.indexOf(quote) < 0) {
            return text;
        }
        String one = String.valueOf(quote);
        return text.replace(one, one + one);
    }
}
