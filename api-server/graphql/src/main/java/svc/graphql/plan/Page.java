package svc.graphql.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a collection that an answer has.
 *
 * @param limit most rows
 * @param backward whether they are the last ones before the cursor rather than the first ones after it
 * @param offset rows to leave out; only forward
 * @param cursor where the page begins, or ends if backward
 */
public record Page(long limit, boolean backward, long offset, Optional<Cursor> cursor) {
    /** The values of the order's columns at one row, as text; null elements are nulls. */
    public record Cursor(List<String> values) {
        public Cursor {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }
    }
}
