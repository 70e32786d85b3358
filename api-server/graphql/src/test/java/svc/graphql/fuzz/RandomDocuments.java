package svc.graphql.fuzz;

import java.util.List;
import java.util.Random;

/** Makes documents for the tables of {@link svc.graphql.GraphqlFixture#BLOG}: most are nearly right, some are broken. */
final class RandomDocuments {
    private static final List<String> ACCOUNT = List.of(
            "id", "email", "createdAt", "visits", "balance", "active", "score", "born", "token", "extra", "nodeId");
    private static final List<String> BLOG =
            List.of("id", "ownerId", "name", "description", "tags", "rank", "nodeId", "shout");
    private static final List<String> POST = List.of("id", "blogId", "title", "status", "editorId", "nodeId");
    private static final List<String> OPERATORS = List.of(
            "eq",
            "neq",
            "gt",
            "gte",
            "lt",
            "lte",
            "in",
            "is",
            "startsWith",
            "like",
            "ilike",
            "regex",
            "iregex",
            "contains",
            "containedBy",
            "overlaps",
            "nope");
    private static final List<String> VALUES = List.of(
            "1",
            "-7",
            "3000000000",
            "1.5e300",
            "\"x\"",
            "\"%\"",
            "\"2026-01-01\"",
            "\"'; --\"",
            "\"\\\\\"",
            "\"\\u00e9\"",
            "\"WzFd\"",
            "\"WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd\"",
            "true",
            "null",
            "NULL",
            "NOT_NULL",
            "draft",
            "released",
            "[]",
            "[1, 2]",
            "[\"a\", null]",
            "[[1]]",
            "{}",
            "{eq: 1}",
            "$v",
            "$w",
            "AscNullsLast",
            "\"11111111-1111-1111-1111-111111111111\"",
            "\"(\"",
            "\"NaN\"",
            "\"Infinity\"",
            "\"9007199254740993\"");
    private static final List<String> DIRECTIONS =
            List.of("AscNullsFirst", "AscNullsLast", "DescNullsFirst", "DescNullsLast", "null", "up");
    private static final String SOUP = "{}()[]:!$@&|=,\"\\ \n#.-eE0123456789abcφ\uD83D\uDE00\u0000";

    private static final List<String> TO_ONE = List.of("owner", "blog", "editor", "profile", "account", "id");
    private static final List<String> TO_MANY = List.of("blogCollection", "blogPostCollection", "drafts", "owner");
    private static final List<String> QUANTIFIERS = List.of("some", "every", "none", "nope");
    private static final List<String> PATHS = List.of(
            "$.a",
            "$.a > 1",
            "$[*] ? (@ == $x)",
            "strict $.b.c",
            "$.a' OR",
            "lax $.**",
            "exists($)",
            "$.a like_regex \\\"(\\\"");

    private final Random random;
    private final boolean extended;

    /** @param extended whether the schema has extensions, which the documents then use, too */
    RandomDocuments(long seed, boolean extended) {
        this.random = new Random(seed);
        this.extended = extended;
    }

    String next() {
        String document = switch (random.nextInt(10)) {
            case 0 -> "mutation ($v: Int = 1, $w: [String!]) {" + mutations() + "}";
            case 1 -> "{ " + introspection(4) + " }";
            case 2 -> "query A { ...F " + roots() + " } fragment F on Query { " + roots() + " } query B { __typename }";
            default -> "query ($v: Int = 1, $w: [String!]) {" + roots() + "}";
        };
        return random.nextInt(4) == 0 ? broken(document) : document;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String roots() {
        var roots = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String alias = random.nextInt(3) == 0 ? "a" + random.nextInt(3) + ": " : "";
            roots.append(' ')
                    .append(alias)
                    .append(
                            switch (random.nextInt(8)) {
                                case 0 -> "node(nodeId: " + value() + ") { __typename ... on Account { email } }";
                                case 1 -> "accountByPk(id: " + value() + ") {" + row("Account", 3) + "}";
                                case 2 -> "blogPostCollection" + arguments(POST) + connection("BlogPost", 3);
                                case 3 -> "blogCollection" + arguments(BLOG) + connection("Blog", 3);
                                case 4 ->
                                    "__typename @" + (random.nextBoolean() ? "skip" : "include") + "(if: " + value()
                                            + ")";
                                default -> "accountCollection" + arguments(ACCOUNT) + connection("Account", 3);
                            });
        }
        return roots.toString();
    }

    private String connection(String type, int depth) {
        var fields = new StringBuilder(" {");
        for (int i = random.nextInt(3); i >= 0; i--) {
            fields.append(
                    switch (random.nextInt(6)) {
                        case 0 -> " pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
                        case 1 -> " totalCount";
                        case 2 -> " aggregate { count sum { " + one(BLOG) + " } min { " + one(BLOG) + " } }";
                        default -> " edges { cursor node {" + row(type, depth - 1) + "} }";
                    });
        }
        return fields.append(" }").toString();
    }

    private String row(String type, int depth) {
        List<String> columns = type.equals("Account") ? ACCOUNT : type.equals("Blog") ? BLOG : POST;
        var fields = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            fields.append(' ').append(one(columns));
        }
        if (depth > 0 && random.nextBoolean()) {
            fields.append(
                    switch (type) {
                        case "Account" -> " blogCollection" + arguments(BLOG) + connection("Blog", depth - 1);
                        case "Blog" ->
                            random.nextBoolean()
                                    ? " owner {" + row("Account", depth - 1) + "}"
                                    : " drafts" + arguments(POST) + connection("BlogPost", depth - 1);
                        default -> " blog {" + row("Blog", depth - 1) + "} editor {" + row("Account", depth - 1) + "}";
                    });
        }
        return fields.append(' ').toString();
    }

    private String arguments(List<String> columns) {
        if (random.nextInt(4) == 0) {
            return "";
        }
        var arguments = new StringBuilder("(");
        if (random.nextInt(3) == 0) {
            arguments
                    .append(random.nextBoolean() ? "first" : "last")
                    .append(": ")
                    .append(random.nextInt(8) - 1);
        }
        if (random.nextInt(3) == 0) {
            arguments.append(" offset: ").append(random.nextInt(3));
        }
        if (random.nextInt(6) == 0) {
            arguments.append(random.nextBoolean() ? " after: " : " before: ").append(value());
        }
        if (random.nextInt(3) == 0) {
            arguments
                    .append(" orderBy: [{")
                    .append(one(columns))
                    .append(": ")
                    .append(one(DIRECTIONS))
                    .append("}]");
        }
        if (extended && random.nextInt(5) == 0) {
            arguments.append(" distinctOn: [").append(one(columns)).append(random.nextBoolean() ? "]" : ", id]");
        }
        if (extended && random.nextInt(6) == 0) {
            arguments
                    .append(" orderBy: [{")
                    .append(one(TO_ONE))
                    .append(": {")
                    .append(one(ACCOUNT))
                    .append(": ")
                    .append(one(DIRECTIONS))
                    .append("}}]");
        }
        return arguments
                .append(" filter: ")
                .append(filter(columns, 3))
                .append(')')
                .toString();
    }

    private String extendedFilter(int depth) {
        return switch (random.nextInt(4)) {
            case 0 -> "{" + one(TO_ONE) + ": " + filter(random.nextBoolean() ? ACCOUNT : BLOG, depth - 1) + "}";
            case 1 ->
                "{" + one(TO_MANY) + ": {" + one(QUANTIFIERS) + ": "
                        + filter(random.nextBoolean() ? BLOG : POST, depth - 1) + "}}";
            case 2 ->
                "{extra: {" + (random.nextBoolean() ? "pathExists" : "pathMatches") + ": {path: \"" + one(PATHS)
                        + "\", variables: " + one(List.of("null", "\"{}\"", "\"{\\\"x\\\": 1}\"", "\"[1]\"", "\"x\""))
                        + "}}}";
            default ->
                "{extra: {" + one(List.of("contains", "containedBy", "hasKey", "is", "eq")) + ": "
                        + one(List.of("\"{\\\"a\\\": [1]}\"", "\"a\"", "null", "NULL", "1", "\"{\"")) + "}}";
        };
    }

    private String filter(List<String> columns, int depth) {
        if (extended && depth > 0 && random.nextInt(3) == 0) {
            return extendedFilter(depth);
        }
        return switch (depth == 0 ? 9 : random.nextInt(10)) {
            case 0 -> "{and: [" + filter(columns, depth - 1) + ", " + filter(columns, depth - 1) + "]}";
            case 1 -> "{or: [" + filter(columns, depth - 1) + "]}";
            case 2 -> "{not: " + filter(columns, depth - 1) + "}";
            case 3 -> value();
            default -> "{" + one(columns) + ": {" + one(OPERATORS) + ": " + value() + "}}";
        };
    }

    private String value() {
        return one(VALUES);
    }

    private String mutations() {
        var fields = new StringBuilder();
        for (int i = random.nextInt(2); i >= 0; i--) {
            String name = " m" + random.nextInt(5) + ": ";
            fields.append(name)
                    .append(
                            switch (random.nextInt(3)) {
                                case 0 ->
                                    "insertIntoBlogPostCollection(objects: [{title: " + value() + ", " + one(POST)
                                            + ": " + value() + nested(2) + "}]" + conflict()
                                            + ") { affectedCount records {" + row("BlogPost", 2)
                                            + "} }";
                                case 1 ->
                                    "updateBlogPostCollection(set: {" + one(POST) + ": " + value()
                                            + "}, atMost: 50, filter: " + filter(POST, 2) + ") { records {"
                                            + row("BlogPost", 2) + "} }";
                                default ->
                                    "deleteFromBlogPostCollection(atMost: " + value() + ", filter: " + filter(POST, 2)
                                            + ") { affectedCount }";
                            });
        }
        return fields.toString();
    }

    private String nested(int depth) {
        if (!extended || random.nextBoolean()) {
            return "";
        }
        return switch (depth == 0 ? 0 : random.nextInt(3)) {
            case 0 -> ", editor: {id: " + random.nextInt(1_000_000) + ", email: " + value() + "}";
            case 1 ->
                ", blog: {id: " + random.nextInt(1_000_000) + ", name: \"b\", owner: {id: " + random.nextInt(1_000_000)
                        + ", email: \"e\"" + nested(depth - 1) + "}, blogPostCollection: [{title: " + value()
                        + nested(depth - 1)
                        + "}]}";
            default -> ", blog: " + value();
        };
    }

    private String conflict() {
        return extended && random.nextInt(3) == 0
                ? ", onConflict: {columns: [" + one(POST) + "], updateFields: [" + one(POST) + "], filter: "
                        + filter(POST, 2) + "}"
                : "";
    }

    private String introspection(int depth) {
        List<String> leaves = List.of("name", "kind", "description", "__typename", "isOneOf");
        if (depth == 4) {
            return random.nextBoolean()
                    ? "__type(name: " + one(List.of("\"Account\"", "\"x\"", "1", "$v")) + ") { " + introspection(3)
                            + " }"
                    : "__schema { queryType { " + introspection(3) + " } }";
        }
        String leaf = one(leaves);
        return depth == 0 || random.nextBoolean()
                ? leaf
                : leaf + " "
                        + one(List.of("fields", "inputFields", "interfaces", "ofType", "possibleTypes", "enumValues"))
                        + " { " + introspection(depth - 1) + " }";
    }

    /** Some characters removed, doubled, or replaced. */
    private String broken(String document) {
        var text = new StringBuilder(document);
        for (int i = random.nextInt(4); i >= 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(5)));
                case 1 -> text.insert(at, SOUP.charAt(random.nextInt(SOUP.length())));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(30))));
            }
        }
        return text.toString();
    }
}
