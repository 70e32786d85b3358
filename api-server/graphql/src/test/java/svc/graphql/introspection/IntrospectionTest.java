package svc.graphql.introspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import graphql.introspection.IntrospectionQuery;
import graphql.introspection.IntrospectionResultToSchema;
import graphql.language.Document;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.SchemaPrinter;
import graphql.schema.idl.UnExecutableSchemaGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.GraphqlSpec;
import svc.graphql.GraphqlFixture;

/** Introspection answers the question of every tool with a valid schema, which is the one that operations are checked by. */
class IntrospectionTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    private static String schema(GraphqlFixture project) {
        JsonNode data = project.ask(IntrospectionQuery.INTROSPECTION_QUERY).data();
        Map<String, Object> answer = new ObjectMapper().convertValue(data, new TypeReference<>() {});
        Document document = new IntrospectionResultToSchema().createSchemaDefinition(answer);
        var definition = new SchemaParser().buildRegistry(document);
        return new SchemaPrinter(SchemaPrinter.Options.defaultOptions().includeDirectiveDefinitions(false))
                .print(UnExecutableSchemaGenerator.makeUnExecutableSchema(definition));
    }

    @Test
    void theSchemaIsValidAndHasPgGraphqlsTypes() {
        String schema = schema(BLOG);
        assertThat(schema)
                .contains("type Account implements Node {")
                .contains("  createdAt: Datetime\n")
                .contains("  visits: BigInt\n")
                .contains("  owner: Account!\n")
                .contains("  edges: [BlogPostEdge!]!\n")
                .contains("input BlogPostInsertInput {")
                .contains("enum PostStatus {")
                .contains("input StringListFilter {")
                .contains("type BlogSumAggregateResult {")
                .contains("interface Node {")
                .containsPattern("accountByPk\\(\\s+\"The record's `id` value\"\\s+id: Int!\\s+\\): Account")
                .contains("  atMost: Int! = 1")
                .contains("type Mutation {");
        assertThat(schema.substring(schema.indexOf("input PostStatusFilter {")))
                .startsWith("input PostStatusFilter {\n  eq: PostStatus\n  in: [PostStatus!]\n  is: FilterIs\n"
                        + "  neq: PostStatus\n}");
    }

    @Test
    void schemasOfOddDatabasesAreValid() {
        schema(GraphqlFixture.serve("CREATE TABLE sole (id int PRIMARY KEY, doc json)"));
        schema(GraphqlFixture.serve("SELECT 1"));
        schema(GraphqlFixture.serve("""
                CREATE TABLE "Query" (id int4 PRIMARY KEY);
                CREATE TABLE page_info (id int4 PRIMARY KEY);
                CREATE TABLE a (id int4 PRIMARY KEY);
                CREATE TABLE a_connection (id int4 PRIMARY KEY);
                CREATE TABLE b (id int4 PRIMARY KEY, node_id int4, "nodeId" int4, and_ int4, "and" int4, "or" text);
                CREATE TYPE mood AS ENUM ('x');
                CREATE TABLE "Mood" (id int4 PRIMARY KEY, m mood);
                CREATE TYPE "Int" AS ENUM ('x');
                CREATE TYPE cursor_ AS ENUM ('x', 'true');
                CREATE TYPE "FilterIs" AS ENUM ('x');
                CREATE TABLE c (id int4 PRIMARY KEY, i "Int", j cursor_, k "FilterIs", l "Int"[]);
                CREATE FUNCTION account(a int4) RETURNS "Int" LANGUAGE sql STABLE AS 'SELECT NULL::"Int"';
                """));
    }

    @Test
    void oneTypeIsFoundByItsName() {
        BLOG.ask("{ t: __type(name: \"PostStatus\") { kind enumValues { name } fields { name } } none:"
                        + " __type(name: \"X\") { kind } __typename }")
                .answers("{'t':{'kind':'ENUM','enumValues':[{'name':'draft'},{'name':'released'}],'fields':null},"
                        + "'none':null,'__typename':'Query'}");
    }

    @Test
    void itIsAnsweredBesideRows() {
        BLOG.ask("{ accountByPk(id: 1) { id } __schema { queryType { name } subscriptionType { name } } }")
                .answers("{'accountByPk':{'id':1},'__schema':{'queryType':{'name':'Query'},'subscriptionType':null}}");
    }

    @Test
    void aProjectMaySwitchItOff() {
        JsonNode answer = BLOG.with(new GraphqlSpec(true, false, 15, 30, false))
                .ask("{ accountByPk(id: 1) { id } __schema { queryType { name } } }")
                .read();
        assertThat(answer.path("data").toString()).isEqualTo("{\"accountByPk\":{\"id\":1}}");
        assertThat(answer.at("/errors/0/message").asText()).isEqualTo("Unknown field \"__schema\" on type Query");
    }

    @Test
    void itShowsTheCurrentSchemaOfTheRole() {
        var changing = GraphqlFixture.serve("CREATE TABLE note (id int PRIMARY KEY, body text)");
        assertThat(fields(changing)).containsExactly("nodeId", "id", "body");
        changing.asOwner(
                "REVOKE ALL ON note FROM " + changing.anon() + "; GRANT SELECT (id) ON note TO " + changing.anon());
        assertThat(fields(changing)).containsExactly("nodeId", "id");
    }

    private static List<String> fields(GraphqlFixture project) {
        List<String> names = new ArrayList<>();
        project.ask("{ __type(name: \"Note\") { fields { name } } }")
                .data()
                .at("/__type/fields")
                .forEach(field -> names.add(field.path("name").asText()));
        return names;
    }

    @Test
    void itIsBounded() {
        var deep = new StringBuilder("name");
        for (int i = 0; i < 12; i++) {
            deep.insert(0, "fields { type { ").append(" } }");
        }
        BLOG.ask("{ __schema { types { " + deep + " } } }").failsLike("");
        BLOG.ask("{ __schema { nope } }").fails("Unknown field 'nope' on type '__Schema'");
    }
}
