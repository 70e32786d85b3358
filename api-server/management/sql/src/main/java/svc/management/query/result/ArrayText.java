package svc.management.query.result;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Parses PostgreSQL's text format of an array: {@code {1,NULL,"a \"b\""}}, nested for more dimensions, with the bounds
 * in front if they do not begin at one.
 */
public final class ArrayText {
    /** MAXDIM of PostgreSQL. */
    private static final int MAX_DIMENSIONS = 6;

    private final String text;
    private final char delimiter;
    private int at;

    private ArrayText(String text, char delimiter) {
        this.text = text;
        this.delimiter = delimiter;
        this.at = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
    }

    /**
     * @param delimiter between elements: a comma for every type but box
     * @return a list of elements, each a String, null, or a list
     * @throws IllegalArgumentException for text that no server sends
     */
    public static List<Object> read(String text, char delimiter) {
        return new ArrayText(text, delimiter).array();
    }

    private List<Object> array() {
        Deque<List<Object>> open = new ArrayDeque<>();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '{') {
                at++;
                if (open.size() == MAX_DIMENSIONS) {
                    break;
                }
                List<Object> inner = new ArrayList<>();
                if (!open.isEmpty()) {
                    open.peek().add(inner);
                }
                open.push(inner);
            } else if (c == '}' && !open.isEmpty()) {
                at++;
                List<Object> done = open.pop();
                if (open.isEmpty()) {
                    return done;
                }
            } else if (open.isEmpty()) {
                break;
            } else if (c == delimiter) {
                at++;
            } else {
                open.peek().add(c == '"' ? quoted() : bare());
            }
        }
        throw new IllegalArgumentException("not the text of an array");
    }

    private String quoted() {
        var element = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                element.append(text.charAt(at++));
            }
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException("not the text of an array");
        }
        at++;
        return element.toString();
    }

    private String bare() {
        int start = at;
        while (at < text.length() && text.charAt(at) != delimiter && text.charAt(at) != '}') {
            at++;
        }
        String element = text.substring(start, at);
        return element.equalsIgnoreCase("NULL") ? null : element;
    }
}
