package svc.sqlgate.lexical;

import java.util.Arrays;
import svc.sqlgate.script.Replacement;

/**
 * A string constant or a quoted identifier as it is written, what it says, and the way from places in what it says to
 * places in what is written: a replacement inside of a value changes nothing else of the constant.
 */
public final class QuotedText {
    private final String raw;
    private final StringBuilder value = new StringBuilder();
    /** Where in the raw text each unit of the value begins, and where what stands for it ends. */
    private int[] begins;

    private int[] ends;
    private int close;

    private char quote;
    private boolean backslashes;

    private QuotedText(String raw) {
        this.raw = raw;
        this.begins = new int[raw.length()];
        this.ends = new int[raw.length()];
    }

    /** Reads one token of PostgreSQL's lexer. */
    public static QuotedText of(String raw) {
        var text = new QuotedText(raw);
        int open = dollarTagEnd(raw, 0);
        if (open > 0) {
            text.dollarQuoted(open);
        } else {
            int start = raw.indexOf('\'');
            int identifier = raw.indexOf('"');
            boolean name = identifier >= 0 && (start < 0 || identifier < start);
            text.quote = name ? '"' : '\'';
            boolean unicode = raw.startsWith("U&") || raw.startsWith("u&");
            text.backslashes = raw.startsWith("E") || raw.startsWith("e");
            text.quoted((name ? identifier : start) + 1, unicode ? text.escapeCharacter() : '\0');
        }
        text.begins = Arrays.copyOf(text.begins, text.value.length());
        text.ends = Arrays.copyOf(text.ends, text.value.length());
        return text;
    }

    /** Where the text of a dollar-quoted constant begins; -1 when none starts here. */
    private static int dollarTagEnd(String text, int start) {
        if (start >= text.length() || text.charAt(start) != '$') {
            return -1;
        }
        int i = start + 1;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (c == '$') {
                return i + 1;
            }
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 || digit && i > start + 1)) {
                return -1;
            }
            i++;
        }
        return -1;
    }

    /** What it says. */
    public String value() {
        return value.toString();
    }

    /** A replacement in the value as one in the raw text. */
    public Replacement edit(Replacement inValue) {
        int start = inValue.start() < begins.length ? begins[inValue.start()] : close;
        int end = inValue.end() == inValue.start() ? start : ends[inValue.end() - 1];
        return new Replacement(start, end, written(inValue.text()));
    }

    private String written(String replacement) {
        if (quote == 0) {
            return replacement;
        }
        String doubled = replacement.replace(String.valueOf(quote), String.valueOf(quote) + quote);
        return backslashes ? doubled.replace("\\", "\\\\") : doubled;
    }

    private void dollarQuoted(int open) {
        close = Math.max(open, raw.length() - open);
        for (int i = open; i < close; i++) {
            add(raw.charAt(i), i, i + 1);
        }
    }

    private void quoted(int open, char escape) {
        int i = open;
        while (i < raw.length()) {
            char c = raw.charAt(i);
            if (c == quote) {
                if (i + 1 < raw.length() && raw.charAt(i + 1) == quote) {
                    add(quote, i, i + 2);
                    i += 2;
                    continue;
                }
                int next = quote == '\'' ? nextPiece(i + 1) : -1;
                if (next < 0) {
                    break;
                }
                i = next;
            } else if (backslashes && c == '\\') {
                i = backslash(i);
            } else if (escape != '\0' && c == escape) {
                i = unicode(i, escape);
            } else {
                add(c, i, i + 1);
                i++;
            }
        }
        close = i;
    }

    /** Behind the quote that opens the next piece of a constant of several lines; -1 when there is none. */
    private int nextPiece(int from) {
        int i = from;
        while (i < raw.length()) {
            if (raw.charAt(i) == '\'') {
                return i + 1;
            }
            if (raw.startsWith("--", i)) {
                while (i < raw.length() && raw.charAt(i) != '\n' && raw.charAt(i) != '\r') {
                    i++;
                }
            } else if (raw.charAt(i) > ' ') {
                return -1;
            } else {
                i++;
            }
        }
        return -1;
    }

    private int backslash(int start) {
        char c = start + 1 < raw.length() ? raw.charAt(start + 1) : '\\';
        int simple = "bfnrt".indexOf(c);
        if (simple >= 0) {
            add("\b\f\n\r\t".charAt(simple), start, start + 2);
            return start + 2;
        }
        if (c >= '0' && c <= '7') {
            return number(start, start + 1, 3, 8);
        }
        if (c == 'x' && digits(start + 2, 2, 16) > start + 2) {
            return number(start, start + 2, 2, 16);
        }
        if (c == 'u') {
            return number(start, start + 2, 4, 16);
        }
        if (c == 'U') {
            return number(start, start + 2, 8, 16);
        }
        add(c, start, start + 2);
        return start + 2;
    }

    private int unicode(int start, char escape) {
        char c = start + 1 < raw.length() ? raw.charAt(start + 1) : escape;
        if (c == escape) {
            add(escape, start, start + 2);
            return start + 2;
        }
        return c == '+' ? number(start, start + 2, 6, 16) : number(start, start + 1, 4, 16);
    }

    private int number(int start, int from, int most, int radix) {
        int end = digits(from, most, radix);
        if (end > from) {
            int code = Integer.parseUnsignedInt(raw.substring(from, end), radix);
            for (char c : Character.toChars(Character.isValidCodePoint(code) ? code : 0xFFFD)) {
                add(c, start, end);
            }
        }
        return Math.max(end, from);
    }

    private int digits(int from, int most, int radix) {
        int end = from;
        while (end < raw.length() && end < from + most && Character.digit(raw.charAt(end), radix) >= 0) {
            end++;
        }
        return end;
    }

    /** The character after UESCAPE, or the backslash. */
    private char escapeCharacter() {
        int last = raw.lastIndexOf('\'');
        int clause = raw.toLowerCase(java.util.Locale.ROOT).lastIndexOf("uescape");
        int body = raw.lastIndexOf(quote == '"' ? '"' : '\'', Math.max(clause, 0));
        return clause > 0 && body > 2 && body < clause && last > clause ? raw.charAt(last - 1) : '\\';
    }

    private void add(char c, int begin, int end) {
        begins[value.length()] = begin;
        ends[value.length()] = end;
        value.append(c);
    }
}
