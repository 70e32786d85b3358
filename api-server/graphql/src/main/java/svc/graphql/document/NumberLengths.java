package svc.graphql.document;

import svc.graphql.error.GraphqlError;

/** Refuses long numbers before they are parsed: the time that takes grows with the square of the digits. */
final class NumberLengths {
    /** As in the JSON of variables. */
    private static final int MAX_DIGITS = 1_000;

    private static final String BLOCK = "\"\"\"";

    private NumberLengths() {}

    /** One pass; digits of strings and comments do not count. */
    static void refuseLong(String document) {
        int digits = 0;
        int at = 0;
        while (at < document.length()) {
            char c = document.charAt(at);
            digits = c >= '0' && c <= '9' ? digits + 1 : 0;
            if (digits > MAX_DIGITS) {
                throw new GraphqlError("query parse error: a number has more than " + MAX_DIGITS + " digits");
            }
            at = switch (c) {
                case '#' -> endOfLine(document, at);
                case '"' -> document.startsWith(BLOCK, at) ? endOfBlock(document, at) : endOfString(document, at);
                default -> at + 1;
            };
        }
    }

    private static int endOfLine(String document, int from) {
        int at = from;
        while (at < document.length() && document.charAt(at) != '\n' && document.charAt(at) != '\r') {
            at++;
        }
        return at;
    }

    private static int endOfBlock(String document, int from) {
        int end = document.indexOf(BLOCK, from + BLOCK.length());
        while (end > 0 && document.charAt(end - 1) == '\\') {
            end = document.indexOf(BLOCK, end + BLOCK.length());
        }
        return end < 0 ? document.length() : end + BLOCK.length();
    }

    private static int endOfString(String document, int from) {
        int at = from + 1;
        while (at < document.length() && document.charAt(at) != '"' && document.charAt(at) != '\n') {
            at += document.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }
}
