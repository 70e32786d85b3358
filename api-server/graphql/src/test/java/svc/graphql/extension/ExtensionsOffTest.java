package svc.graphql.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import graphql.introspection.IntrospectionQuery;
import graphql.introspection.IntrospectionResultToSchema;
import graphql.language.AstPrinter;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.UnExecutableSchemaGenerator;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Extensions are off by default: then the schema is pg_graphql's; on, it is valid and has more. */
class ExtensionsOffTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void theSchemaIsThatOfPgGraphqlUnlessTheProjectSwitchesThemOn() {
        BLOG.ask("{ blogCollection(filter: {owner: {id: {eq: 1}}}) { edges { cursor } } }")
                .fails("Input for type BlogFilter contains extra keys [\"owner\"]");
        BLOG.ask("{ blogCollection(orderBy: [{owner: {id: AscNullsLast}}]) { edges { cursor } } }")
                .fails("Input for type BlogOrderBy contains extra keys [\"owner\"]");
        BLOG.ask("{ blogCollection(distinctOn: [ownerId]) { edges { cursor } } }")
                .fails("Input contains extra keys [\"distinctOn\"]");
        BLOG.ask("{ accountCollection(filter: {extra: {hasKey: \"a\"}}) { edges { cursor } } }")
                .fails("Input for type AccountFilter contains extra keys [\"extra\"]");
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: [], onConflict: {}) { affectedCount } }")
                .fails("Input contains extra keys [\"onConflict\"]");
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: [{title: \"x\", blog: {}}]) { affectedCount } }")
                .fails("Input for type BlogPostInsertInput contains extra keys [\"blog\"]");
        assertThat(types(BLOG)).noneMatch(name -> name.matches(".*(ColumnName|OnConflict|RelationFilter|JSONPath).*"));
    }

    @Test
    void theSchemaWithThemIsValid() throws Exception {
        var extended = ExtendedFixture.of(BLOG);
        JsonNode answer = extended.ask(IntrospectionQuery.INTROSPECTION_QUERY).data();
        @SuppressWarnings("unchecked")
        Map<String, Object> map = new ObjectMapper().convertValue(answer, Map.class);
        String text = AstPrinter.printAst(new IntrospectionResultToSchema().createSchemaDefinition(map));
        UnExecutableSchemaGenerator.makeUnExecutableSchema(new SchemaParser().parse(text));
        assertThat(text)
                .contains("onConflict: BlogPostOnConflict", "distinctOn: [BlogColumnName!]", "pathMatches: JSONPath");
        assertThat(types(extended)).containsAll(types(BLOG));
    }

    private static TreeSet<String> types(GraphqlFixture project) {
        var names = new TreeSet<String>();
        project.ask("{ __schema { types { name } } }")
                .data()
                .at("/__schema/types")
                .forEach(type -> names.add(type.path("name").asText()));
        return names;
    }

    /** Columns and relations with the names of extensions, tables with the names of their types. */
    @Test
    void namesThatCollideKeepPgGraphqlsMeaning() {
        var odd = ExtendedFixture.serve("""
                CREATE TABLE parent (id int PRIMARY KEY, "some" int, every int);
                CREATE TABLE "and" (id int PRIMARY KEY);
                CREATE TABLE child (id int PRIMARY KEY, and_id int REFERENCES "and", parent_id int REFERENCES parent,
                    parent int, distinct_on int);
                CREATE TABLE parent_column_name (id int PRIMARY KEY);
                CREATE TABLE json_path (id int PRIMARY KEY);
                CREATE FUNCTION children(distinct_on int) RETURNS SETOF child LANGUAGE sql STABLE
                    AS 'SELECT * FROM child WHERE distinct_on = $1';
                INSERT INTO parent VALUES (1, 2, 3);
                INSERT INTO child VALUES (1, NULL, 1, 7, 8), (2, NULL, NULL, NULL, 9);
                """);
        odd.ask("{ childCollection(filter: {parent: {eq: 7}, and: [{id: {eq: 1}}]}) { edges { node { id } } } }")
                .answers("{'childCollection':{'edges':[{'node':{'id':1}}]}}");
        odd.ask("{ parentCollection(filter: {childCollection: {some: {id: {eq: 1}}}, some: {eq: 2}})"
                        + " { edges { node { id } } } }")
                .answers("{'parentCollection':{'edges':[{'node':{'id':1}}]}}");
        odd.ask("{ children(distinctOn: 9) { edges { node { id } } } }")
                .answers("{'children':{'edges':[{'node':{'id':2}}]}}");
        odd.ask(IntrospectionQuery.INTROSPECTION_QUERY).data();
    }
}
