package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/**
 * Reads what PostgreSQL answers. SQL of a tenant may write any JSON into its rows, and a tree of small values takes fifty
 * times its text: what separates values is counted before they are read.
 */
final class AnswerTree {
    /** Estimates of the heap, in bytes, that an entry of an array, a field, and an object or array take. */
    private static final int VALUE = 48;

    private static final int FIELD = 72;
    private static final int CONTAINER = 120;

    /** Enough for a thousand rows with two hundred fields of metadata each. */
    private static final long MAX_WEIGHT = 32L << 20;

    /** A text of this length cannot be more. */
    private static final int SMALL = 128 << 10;

    private AnswerTree() {}

    /** @throws StorageError for more than a process can keep */
    static JsonNode of(String json) {
        if (json.length() > SMALL && weight(json) > MAX_WEIGHT) {
            throw StorageError.rowsTooLarge();
        }
        return StorageCall.read(json);
    }

    static long weight(String json) {
        long weight = 0;
        boolean text = false;
        for (int at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            if (text) {
                if (c == '\\') {
                    at++;
                } else {
                    text = c != '"';
                }
                continue;
            }
            switch (c) {
                case '"' -> text = true;
                case ',' -> weight += VALUE;
                case ':' -> weight += FIELD;
                case '{', '[' -> weight += CONTAINER;
                default -> {}
            }
        }
        return weight;
    }
}
