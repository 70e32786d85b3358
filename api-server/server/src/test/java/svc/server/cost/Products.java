package svc.server.cost;

import static svc.server.cost.Dimension.HEAD_BYTES;
import static svc.server.cost.Dimension.head;
import static svc.server.cost.Dimension.numbered;
import static svc.server.cost.Shape.repeat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two dimensions of one request that grow together, where one may be repeated for each part of the other. */
final class Products {
    private static final int MAX_ROOT_FIELDS = 45;

    private final String host;
    private final String key;
    private final int bodyBytes;
    private final Consumer<Call> register;

    /**
     * @param key a project's anon key
     * @param register sends a call whose cost does not count
     */
    Products(String host, String key, int bodyBytes, Consumer<Call> register) {
        this.register = register;
        this.host = host;
        this.key = key;
        this.bodyBytes = bodyBytes;
    }

    Stream<Dimension> all() {
        return Stream.of(rest(), graphql(), others()).flatMap(List::stream);
    }

    private Call keyed(String method, String path) {
        return Call.of(method, host, path).with("apikey: " + key);
    }

    private Dimension body(String name, java.util.function.IntFunction<Call> call) {
        return new Dimension(name, bodyBytes, call);
    }

    private List<Dimension> rest() {
        return List.of(
                body(
                        "REST: columns and rows",
                        n -> keyed("POST", "/rest/v1/list?columns=id" + numbered(",p", "", Math.min(n / 4, HEAD_BYTES)))
                                .withBody("[" + repeat("{\"id\":1},", n / 2) + "{\"id\":1}]")),
                body(
                        "REST: rows of different names",
                        n -> keyed("POST", "/rest/v1/list")
                                .withBody("[" + numbered("{\"p", "\":1},", n) + "{\"id\":1}]")),
                body(
                        "REST: columns and lines of CSV",
                        n -> keyed("POST", "/rest/v1/list")
                                .with("Content-Type: text/csv")
                                .withBody("id" + repeat(",id", n / 2) + "\r\n" + repeat("1\r\n", n / 2))),
                head(
                        "REST: embeds in embeds",
                        n -> keyed(
                                "GET",
                                "/rest/v1/todo?select=id" + repeat(",list(todo(id", n / 2) + repeat("))", n / 2))),
                head(
                        "REST: many embeds",
                        n -> keyed("GET", "/rest/v1/todo?select=id" + numbered(",l", ":list(id)", n))),
                head(
                        "REST: embeds and filters of them",
                        n -> keyed(
                                "GET",
                                "/rest/v1/todo?select=id" + numbered(",l", ":list(id)", n / 2)
                                        + numbered("&l", ".id=eq.1", n / 2))),
                head(
                        "REST: conditions in conditions",
                        n -> keyed(
                                "GET", "/rest/v1/todo?or=" + repeat("(and", n / 2) + "(id.eq.1)" + repeat(")", n / 8))),
                head("REST: a long list", n -> keyed("GET", "/rest/v1/todo?id=in.(1" + repeat(",1", n) + ")")),
                head("REST: many filters", n -> keyed("GET", "/rest/v1/todo?id=eq.1" + repeat("&id=eq.1", n))),
                head(
                        "REST: orders and columns",
                        n -> keyed(
                                "GET",
                                "/rest/v1/todo?select=id" + repeat(",id", n / 2) + "&order=id" + repeat(",id", n / 2))),
                body(
                        "REST: calls in a call",
                        n -> keyed("POST", "/rest/v1/")
                                .withBody("[" + repeat("{\"method\":\"GET\",\"path\":\"/list\"},", n)
                                        + "{\"method\":\"GET\",\"path\":\"/list\"}]")),
                body(
                        "REST: arguments of a function",
                        n -> keyed("POST", "/rest/v1/rpc/add")
                                .withBody("{" + numbered("\"p", "\":1,", n) + "\"a\":1}")));
    }

    private Call query(String document, String variables) {
        return keyed("POST", "/graphql/v1")
                .withBody("{\"query\":\"" + document + "\",\"variables\":" + variables + "}");
    }

    /** As many as the bytes allow, below the service's own limit of aliases. */
    private static String repeated(String field, int bytes) {
        String all = numbered(" a", field, Math.min(bytes, MAX_ROOT_FIELDS * (field.length() + 4)));
        return "{" + all + " }";
    }

    /** A document that was sent once is called by its hash: what it costs is not in the bytes of the call. */
    private Call persisted(String document) {
        String hash = sha256(document);
        String extensions = "\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"" + hash + "\"}}";
        register.accept(keyed("POST", "/graphql/v1").withBody("{\"query\":\"" + document + "\"," + extensions + "}"));
        return keyed("POST", "/graphql/v1").withBody("{" + extensions + "}");
    }

    /** In hexadecimal digits. */
    static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** So many bytes of fields, and of spreads of them. */
    private static String spreads(int bytes) {
        return "{ todoCollection { edges { node {" + repeat(" ...f", bytes / 2) + " } } } } fragment f on Todo {"
                + numbered(" a", ": id", bytes / 2) + " }";
    }

    private List<Dimension> graphql() {
        return List.of(
                body(
                        "GraphQL: a list in many filters",
                        n -> query(
                                "query($v: [Int!]) "
                                        + repeated(
                                                ": todoCollection(filter: {id: {in: $v}}) { edges { cursor } }", n / 2),
                                "{\"v\":[1" + repeat(",1", n / 2) + "]}")),
                body(
                        "GraphQL: a list in many filters of one field",
                        n -> query(
                                "query($v: [Int!]) { todoCollection(filter: {or: [{id: {in: $v}}"
                                        + repeat(" {id: {in: $v}}", Math.min(n / 20, 4_000))
                                        + "]}) { edges { cursor } } }",
                                "{\"v\":[1" + repeat(",1", n - n / 20) + "]}")),
                body(
                        "GraphQL: an object in many filters",
                        n -> query(
                                "query($v: TodoFilter) "
                                        + repeated(": todoCollection(filter: $v) { edges { cursor } }", n / 2),
                                "{\"v\":{\"title\":{\"in\":[\"a\"" + repeat(",\"a\"", n / 2) + "]}}}")),
                body(
                        "GraphQL: objects in many insertions",
                        n -> query(
                                "mutation($v: [ListInsertInput!]!) "
                                        + repeated(": insertIntoListCollection(objects: $v) { affectedCount }", n / 2),
                                "{\"v\":[{\"id\":1}" + repeat(",{\"id\":1}", n / 2) + "]}")),
                body("GraphQL: fields of a fragment and its spreads", n -> query(spreads(n), "{}")),
                body("GraphQL: a persisted document of spreads", n -> persisted(spreads(n / 4))),
                body("GraphQL: a persisted document of aliases", n -> persisted(repeated(": __typename", n))),
                body(
                        "GraphQL: fragments in fragments",
                        n -> query(
                                "{ todoCollection { edges { node { ...f0 } } } }" + fragments(Math.min(n / 500, 60)),
                                "{}")),
                body(
                        "GraphQL: a persisted document of fragments in fragments",
                        n -> persisted(
                                "{ todoCollection { edges { node { ...f0 } } } }" + fragments(Math.min(n / 500, 60)))),
                body("GraphQL: aliases", n -> query("{" + numbered(" a", ": __typename", n) + " }", "{}")),
                body("GraphQL: directives", n -> query("{ __typename" + repeat(" @include(if: true)", n) + " }", "{}")),
                body("GraphQL: selections in selections", n -> query(repeat("{a ", n / 2) + repeat("}", n / 6), "{}")),
                body(
                        "GraphQL: lists in lists",
                        n -> query(
                                "{ todoCollection(filter: " + repeat("[", n / 2) + repeat("]", n / 2)
                                        + ") { edges { cursor } } }",
                                "{}")),
                body(
                        "GraphQL: introspection of types",
                        n -> query(repeated(": __schema { types { name fields { name } } }", n / 16), "{}")),
                body(
                        "GraphQL: orders",
                        n -> query(
                                "{ todoCollection(orderBy: [{id: AscNullsFirst}" + repeat(" {id: AscNullsFirst}", n)
                                        + "]) { edges { cursor } } }",
                                "{}")),
                body(
                        "GraphQL: a long name of an unknown field",
                        n -> query("{ " + repeat("todoCollectio", n) + " }", "{}")),
                body("GraphQL: many unknown fields", n -> query("{" + numbered(" todoCollectio", "", n) + " }", "{}")),
                body("GraphQL: many operations", n -> query(numbered(" query q", " { __typename }", n), "{}")));
    }

    /** Each spreads the next one twice. */
    private static String fragments(int count) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(" fragment f")
                    .append(i)
                    .append(" on Todo { ...f")
                    .append(i + 1)
                    .append(" ...f")
                    .append(i + 1)
                    .append(" }");
        }
        return text.append(" fragment f")
                .append(count)
                .append(" on Todo { id }")
                .toString();
    }

    private List<Dimension> others() {
        String claims = java.util.Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"a\":".repeat(3_000).getBytes(StandardCharsets.UTF_8));
        return List.of(
                head(
                        "a token of nested claims",
                        n -> keyed("GET", "/rest/v1/todo")
                                .with("Authorization: Bearer e30."
                                        + claims.substring(0, Math.min(n, claims.length()) / 4 * 4) + ".AAAA")),
                head(
                        "a token of many parts",
                        n -> keyed("GET", "/auth/v1/user").with("Authorization: Bearer " + repeat("a.", n))),
                body(
                        "realtime: messages to many topics",
                        n -> keyed("POST", "/realtime/v1/api/broadcast")
                                .withBody("{\"messages\":["
                                        + numbered("{\"topic\":\"t", "\",\"event\":\"e\",\"payload\":{}},", n)
                                        + "{\"topic\":\"t\",\"event\":\"e\",\"payload\":{}}]}")));
    }
}
