package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import svc.sqlgate.lexical.Tokens;

/**
 * The statements inside of CREATE SCHEMA, which the grammar gives without places. CREATE and GRANT are reserved words: outside
 * of parentheses each begins an element, but for CREATE among the privileges of a GRANT.
 */
final class SchemaElements {
    /** PostgreSQL runs them in this order. */
    private static final List<String> ORDER =
            List.of("CreateSeqStmt", "CreateStmt", "ViewStmt", "IndexStmt", "CreateTrigStmt", "GrantStmt");

    private SchemaElements() {}

    /**
     * The texts of the elements in the order in which they run.
     *
     * @param text CREATE SCHEMA
     * @return empty when there are not as many as the grammar has found
     */
    static Optional<List<String>> of(String text, JsonNode elements) {
        Tokens tokens = Tokens.of(text);
        List<Integer> starts = new ArrayList<>();
        int depth = 0;
        boolean privileges = false;
        for (int i = 1; i < tokens.size(); i++) {
            depth += tokens.isSymbol(i, '(') ? 1 : tokens.isSymbol(i, ')') ? -1 : 0;
            boolean grant = tokens.isWord(i, "grant");
            if (depth == 0 && (grant || tokens.isWord(i, "create") && !privileges)) {
                starts.add(tokens.get(i).start());
                privileges = grant;
            } else if (tokens.isWord(i, "on")) {
                privileges = false;
            }
        }
        if (starts.size() != elements.size()) {
            return Optional.empty();
        }
        starts.add(text.length());
        return Optional.of(IntStream.range(0, elements.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> ORDER.indexOf(kind(elements.get(i)))))
                .map(i -> text.substring(starts.get(i), starts.get(i + 1)).strip())
                .toList());
    }

    /** The grammar's name of an element. */
    static String kind(JsonNode element) {
        return element.properties().iterator().next().getKey();
    }
}
