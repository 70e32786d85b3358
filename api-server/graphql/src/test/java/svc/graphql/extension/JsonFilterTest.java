package svc.graphql.extension;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Filters of JSON columns: containment, keys, and PostgreSQL's jsonpath with variables. */
class JsonFilterTest {
    private static final GraphqlFixture DOCS = ExtendedFixture.serve("""
            CREATE TABLE doc (id int PRIMARY KEY, body jsonb, plain json);
            INSERT INTO doc VALUES (1, '{"a": {"b": 1}, "tags": ["x", "y"]}', '{"n": 5}'),
                (2, '{"a": {"b": 2}}', '{"n": 6}'), (3, '[1, 2]', 'null'), (4, NULL, NULL);
            """);

    private static void docs(String filter, Object... ids) {
        var edges = new StringBuilder();
        for (Object id : ids) {
            edges.append(edges.isEmpty() ? "" : ",")
                    .append("{'node':{'id':")
                    .append(id)
                    .append("}}");
        }
        DOCS.ask("query ($v: JSON) { docCollection(filter: " + filter + ") { edges { node { id } } } }")
                .variables("{'v':'{\\'min\\': 2}'}".replace("\\'", "\\\""))
                .answers("{'docCollection':{'edges':[" + edges + "]}}");
    }

    @Test
    void containmentAndKeys() {
        docs("{body: {contains: \"{\\\"a\\\": {\\\"b\\\": 1}}\"}}", 1);
        docs("{body: {containedBy: \"[1, 2, 3]\"}}", 3);
        docs("{body: {hasKey: \"tags\"}}", 1);
        docs("{body: {is: NULL}}", 4);
        docs("{plain: {contains: \"{\\\"n\\\": 5}\"}}", 1);
        docs("{body: {contains: null}}");
    }

    @Test
    void paths() {
        docs("{body: {pathExists: {path: \"$.tags[*] ? (@ == \\\"y\\\")\"}}}", 1);
        docs("{body: {pathMatches: {path: \"$.a.b > 1\"}}}", 2);
        docs("{body: {pathMatches: {path: \"$.a.b >= $min\", variables: $v}}}", 2);
        docs("{body: {pathExists: {path: \"$.a.b ? (@ < $min)\", variables: $v}}}", 1);
        docs("{plain: {pathMatches: {path: \"$.n == 6\"}}}", 2);
        // What is no predicate, and what does not fit the value, matches nothing.
        docs("{body: {pathMatches: {path: \"$.a.b\"}}}");
        docs("{body: {pathMatches: {path: \"strict $.a.b.c.d == 1\"}}}");
        docs("{not: {body: {pathExists: {path: \"$.a\"}}}}", 3);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        DOCS.ask("{ docCollection(filter: {body: {pathExists: {path: \"$.a' OR true --\"}}}) { edges { cursor } } }")
                .failsLike("jsonpath");
        DOCS.ask("{ docCollection(filter: {body: {pathExists: \"$.a\"}}) { edges { cursor } } }")
                .fails("Invalid input for JSONPath type");
        DOCS.ask("{ docCollection(filter: {body: {pathExists: {path: \"$\", extra: 1}}}) { edges { cursor } } }")
                .fails("Input for type JSONPath contains extra keys [\"extra\"]");
        DOCS.ask(
                        "{ docCollection(filter: {body: {pathExists: {path: \"$\", variables: \"[1]\"}}}) { edges { cursor } } }")
                .failsLike("\"vars\" argument is not an object");
        DOCS.ask("{ docCollection(filter: {body: {contains: \"{\"}}) { edges { cursor } } }")
                .failsLike("invalid input syntax for type json");
        DOCS.ask("{ docCollection(filter: {body: {contains: 1}}) { edges { cursor } } }")
                .fails("Invalid input for JSON type");
        DOCS.ask("{ docCollection(filter: {body: {hasKey: \"a\\u0000\"}}) { edges { cursor } } }")
                .failsLike("cannot be converted to text");
        DOCS.ask("{ docCollection(filter: {body: {eq: \"1\"}}) { edges { cursor } } }")
                .fails("Input for type JSONFilter contains extra keys [\"eq\"]");
    }
}
