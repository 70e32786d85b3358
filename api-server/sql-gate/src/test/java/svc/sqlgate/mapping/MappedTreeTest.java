package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.name.ProjectNames;
import svc.platform.process.SandboxHome;
import svc.sqlgate.MappedText;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.Verdict;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.SqlReader;
import svc.sqlgate.parser.Statement;

/**
 * The tree of the text that is sent is the tree of the text that was written with every name in it replaced: neither more
 * nor less, and nothing else moved. The tree is mapped here by rules of its own, on the grammar's fields alone.
 */
class MappedTreeTest {
    private static final ProjectNames PROJECT =
            ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));
    private static final SupabaseAliases NAMES = SupabaseAliases.of(PROJECT);

    private static final Set<String> PLACES = Set.of(
            "location", "rexpr_list_start", "rexpr_list_end", "list_start", "list_end", "stmt_location", "stmt_len");

    /** Fields that hold a qualified name, and how many of the last parts are not part of it. */
    private static final Map<String, Integer> LISTS = Map.ofEntries(
            Map.entry("names", 0),
            Map.entry("funcname", 0),
            Map.entry("objname", 0),
            Map.entry("defnames", 0),
            Map.entry("domainname", 0),
            Map.entry("collname", 0),
            Map.entry("opclass", 0),
            Map.entry("collation", 0),
            Map.entry("typeName", 0),
            Map.entry("name", 0),
            Map.entry("useOp", 0),
            Map.entry("fields", 1));

    private static ParserPool pool;
    private static SqlReader reader;
    private static ScriptGate gate;
    private static MappedText mapping;

    @BeforeAll
    static void start() {
        pool = new ParserPool(() -> SandboxHome.find(Optional.empty()), ParserLimits.defaults());
        reader = new SqlReader(pool);
        gate = new ScriptGate(reader);
        mapping = new MappedText(reader, NAMES);
    }

    @AfterAll
    static void stop() {
        pool.close();
    }

    static Stream<String> scripts() {
        return Stream.of(
                        MappedText.allowed(),
                        NameMappingTest.STATEMENTS,
                        NameMappingTest.CONSTANTS,
                        NameMappingTest.DATA,
                        FurtherSchemaNamesTest.SCRIPTS,
                        NameMappingTest.BODIES)
                .flatMap(Stream::of)
                .map(MarkedScript::unmarked);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void onlyNamesDiffer(String sql) {
        var admitted = (Verdict.Admitted) gate.judge(sql, PROJECT);
        List<Statement> written = parse(sql);
        // Statements that are left out are compared nowhere: theirs are tests of their own.
        String text = mapping.text(sql);
        List<Statement> sent = parse(text);
        assertThat(sent).hasSameSizeAs(written);
        assertThat(admitted.summary().kinds())
                .isEqualTo(written.stream().map(Statement::kind).toList());
        for (int i = 0; i < written.size(); i++) {
            assertThat(bare(sent.get(i).tree(), false))
                    .isEqualTo(bare(written.get(i).tree(), true));
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void whateverStandsBetweenTheTokens(String sql) {
        var random = new Random(sql.hashCode());
        List<Statement> written = parse(sql);
        for (int i = 0; i < 5; i++) {
            String noisy = withNoise(sql, random);
            assertThat(gate.judge(noisy, PROJECT)).as(noisy).isInstanceOf(Verdict.Admitted.class);
            List<Statement> sent = parse(mapping.text(noisy));
            for (int n = 0; n < written.size(); n++) {
                assertThat(bare(sent.get(n).tree(), false))
                        .as(noisy)
                        .isEqualTo(bare(written.get(n).tree(), true));
            }
        }
    }

    private static final List<String> NOISE =
            List.of(" ", "\n", "\t \r\n", " /* public.t 'ä😀 /* $$ */ */ ", " -- \"public\". ß'\n", "  ");

    private static String withNoise(String sql, Random random) {
        Tokens tokens = Tokens.of(sql);
        var noisy = new StringBuilder();
        int copied = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean gap = token.start() > copied;
            boolean dot = tokens.isQualifier(i - 1) || tokens.isQualifier(i - 2);
            noisy.append(gap || dot ? NOISE.get(random.nextInt(NOISE.size())) : "");
            noisy.append(sql, token.start(), token.end());
            copied = token.end();
        }
        return noisy.toString();
    }

    private static List<Statement> parse(String sql) {
        return ((ParseResult.Parsed) reader.parse(sql)).statements();
    }

    /** The tree without places; of what was written with the names that should be sent. Texts with familiar names. */
    private static JsonNode bare(JsonNode node, boolean map) {
        if (node.isObject()) {
            return object(node, map);
        }
        if (node.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> array.add(bare(element, map)));
            return array;
        }
        return node;
    }

    private static ObjectNode object(JsonNode node, boolean map) {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (PLACES.contains(name)) {
                return;
            }
            if (name.equals("sval") && value.isObject() || name.equals("as") || isBody(node, name)) {
                // What a text says is compared in familiar names; which text is a name is tested one by one.
                made.set(name, familiar(bare(value, false)));
            } else if (isSearchPath(node, name)) {
                made.put(name, "a search path");
            } else {
                made.set(name, map ? mapped(node, name, bare(value, true)) : bare(value, false));
            }
        });
        return made;
    }

    private static boolean isBody(JsonNode node, String field) {
        return field.equals("arg") && node.path("defname").asText().equals("as");
    }

    private static boolean isSearchPath(JsonNode node, String field) {
        return field.equals("args") && node.path("name").asText().equals("search_path");
    }

    private static JsonNode familiar(JsonNode texts) {
        return JsonNodeFactory.instance.textNode(
                NAMES.toAliases(texts.toString().replace("\\\"", "").replaceAll("\\s+", " "))
                        .replace("extensions.", "public.")
                        .replace("svc_functions.own_names((", "")
                        .replace(")::pg_catalog.text)", ""));
    }

    private static JsonNode mapped(JsonNode node, String name, JsonNode value) {
        boolean relation = node.has("relname");
        if (name.equals("schemaname") && relation || name.equals("newschema")) {
            return text(
                    NAMES.schemaOfRelation(value.asText(), node.path("relname").asText())
                            .orElse(value.asText()));
        }
        if (name.equals("rolename")) {
            return text(NAMES.role(value.asText()).orElse(value.asText()));
        }
        if (!value.isArray()) {
            return name.equals("object") || name.equals("arg") ? listed(node, value) : value;
        }
        int members = LISTS.getOrDefault(name, -1);
        members += node.path("pct_type").asBoolean() ? 1 : 0;
        if (members >= 0) {
            return value.size() - members == 2 && !syntax(node)
                    ? qualified(value, name.equals("funcname") && node.has("options") ? "definition" : name)
                    : value;
        }
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        value.forEach(element ->
                all.add(name.equals("objects") || name.equals("exclusions") ? listed(node, element) : element));
        return all;
    }

    private static boolean syntax(JsonNode node) {
        return node.path("funcformat").asText().equals("COERCE_SQL_SYNTAX");
    }

    /** A list of words in DROP, COMMENT, GRANT, or an option. */
    private static JsonNode listed(JsonNode node, JsonNode value) {
        String kind = Stream.of("removeType", "objtype", "renameType", "objectType", "defname")
                .map(field -> node.path(field).asText())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        if (value.has("String")) {
            boolean schema = kind.equals("OBJECT_SCHEMA")
                    || kind.equals("schema")
                    || node.path("targtype").asText().equals("ACL_TARGET_ALL_IN_SCHEMA");
            return schema ? schemaWord(value) : value;
        }
        JsonNode items = value.path("List").path("items");
        int members = Set.of(
                                "OBJECT_TRIGGER",
                                "OBJECT_POLICY",
                                "OBJECT_RULE",
                                "OBJECT_TABCONSTRAINT",
                                "OBJECT_COLUMN",
                                "owned_by")
                        .contains(kind)
                ? 1
                : 0;
        List<JsonNode> made = new ArrayList<>();
        if (node.has("exclusions")) {
            made.add(items.get(0));
            made.add(listed(JsonNodeFactory.instance.objectNode(), items.get(1)));
        } else if (kind.equals("schemas")) {
            items.forEach(item -> made.add(schemaWord(item)));
        } else if (items.size() - members == 2 && items.get(0).has("String")) {
            return listOf(qualified(items, "list"));
        } else {
            return value;
        }
        return listOf(JsonNodeFactory.instance.arrayNode().addAll(made));
    }

    private static JsonNode listOf(JsonNode items) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.set("List", JsonNodeFactory.instance.objectNode().set("items", items));
        return list;
    }

    private static JsonNode schemaWord(JsonNode word) {
        String name = word.path("String").path("sval").asText();
        return string(NAMES.schema(name).orElse(name));
    }

    private static JsonNode qualified(JsonNode parts, String field) {
        String schema = parts.get(0).path("String").path("sval").asText();
        String member = parts.get(1).path("String").path("sval").asText();
        Optional<String> real = switch (field) {
            case "funcname" -> NAMES.schemaOfCalled(schema, member);
            case "definition" -> NAMES.schemaOfFunction(schema, member);
            case "names" -> parts.size() == 2 ? NAMES.schemaOfType(schema, member) : NAMES.schema(schema);
            case "opclass" -> NAMES.schemaOfOperatorClass(schema, member);
            // Of the further schemas the scripts read tables of this one only.
            case "fields" ->
                NAMES.isFurther(schema) && !Set.of("todos", "t").contains(member)
                        ? Optional.empty()
                        : NAMES.schemaOfRelation(schema, member);
            default -> NAMES.schemaOfObject(schema, member);
        };
        ArrayNode made = JsonNodeFactory.instance.arrayNode();
        parts.forEach(made::add);
        real.ifPresent(name -> made.set(0, string(name)));
        return made;
    }

    private static JsonNode string(String value) {
        ObjectNode string = JsonNodeFactory.instance.objectNode();
        string.set("String", JsonNodeFactory.instance.objectNode().put("sval", value));
        return string;
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }
}
