package svc.realtime.message;

/**
 * Reads a text from its beginning to its end, without ever going back: what strangers write must cost its length alone,
 * which a regular expression cannot promise.
 */
public final class TextCursor {
    private final String text;
    private int at;

    public TextCursor(String text) {
        this(text, 0);
    }

    public TextCursor(String text, int from) {
        this.text = text;
        this.at = from;
    }

    public int position() {
        return at;
    }

    public boolean atEnd() {
        return at >= text.length();
    }

    /** Takes the next character if it is one of these. */
    public boolean take(String anyOf) {
        if (!atEnd() && anyOf.indexOf(text.charAt(at)) >= 0) {
            at++;
            return true;
        }
        return false;
    }

    /** Takes a word if it comes next. */
    public boolean takeWord(String word) {
        if (text.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        return false;
    }

    /** Takes so many of these characters as come next, and returns their number. */
    public int takeAll(String anyOf) {
        int from = at;
        while (take(anyOf)) {
            continue;
        }
        return at - from;
    }

    /** Takes {@code min} to {@code max} digits; false when fewer or more come. */
    public boolean takeDigits(int min, int max) {
        int count = takeAll("0123456789");
        return count >= min && count <= max;
    }

    /** Takes hexadecimal digits, exactly so many. */
    public boolean takeHex(int count) {
        return takeAll("0123456789abcdefABCDEF") == count;
    }

    /** The text between a position and the present one. */
    public String since(int from) {
        return text.substring(from, at);
    }
}
