package svc.management.query.result;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses the text format of an hstore: {@code "a"=>"1", "b"=>NULL}. */
final class HstoreText {
    private final String text;
    private int at;

    private HstoreText(String text) {
        this.text = text;
    }

    /**
     * @return the pairs in the server's order; a value may be null
     * @throws IllegalArgumentException for text that no server sends
     */
    static Map<String, String> read(String text) {
        var reader = new HstoreText(text);
        Map<String, String> pairs = new LinkedHashMap<>();
        while (reader.at < text.length()) {
            String key = reader.quoted();
            reader.expect("=>");
            pairs.put(key, reader.value());
            if (reader.at < text.length()) {
                reader.expect(", ");
            }
        }
        return pairs;
    }

    private String value() {
        if (text.startsWith("NULL", at)) {
            at += 4;
            return null;
        }
        return quoted();
    }

    private String quoted() {
        expect("\"");
        var word = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                word.append(text.charAt(at++));
            }
        }
        expect("\"");
        return word.toString();
    }

    private void expect(String word) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("not the text of an hstore");
        }
        at += word.length();
    }
}
