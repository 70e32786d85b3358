package svc.graphql.schema;

import java.util.Collection;

/** PostgreSQL's text form of a one-dimensional array. */
public final class PostgresArray {
    private PostgresArray() {}

    /** @param elements null elements are written as NULL */
    public static String of(Collection<String> elements) {
        var text = new StringBuilder("{");
        for (String element : elements) {
            if (text.length() > 1) {
                text.append(',');
            }
            if (element == null) {
                text.append("NULL");
            } else {
                text.append('"');
                for (int i = 0; i < element.length(); i++) {
                    char c = element.charAt(i);
                    if (c == '"' || c == '\\') {
                        text.append('\\');
                    }
                    text.append(c);
                }
                text.append('"');
            }
        }
        return text.append('}').toString();
    }
}
