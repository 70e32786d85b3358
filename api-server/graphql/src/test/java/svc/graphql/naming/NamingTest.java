package svc.graphql.naming;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Names: inflection, comments, and what has none. */
class NamingTest {
    @Test
    void aSchemaMayTurnInflectionOff() {
        var plain = GraphqlFixture.serve("""
                CREATE TABLE "Blog_Post" (id int PRIMARY KEY, "authorId" int, long_name text);
                CREATE TABLE author (id int PRIMARY KEY);
                ALTER TABLE "Blog_Post" ADD FOREIGN KEY ("authorId") REFERENCES author;
                INSERT INTO author VALUES (1);
                INSERT INTO "Blog_Post" VALUES (1, 1, 'x');
                """);
        GraphqlFixture.PROJECTS.asOperator("COMMENT ON SCHEMA "
                + plain.tenant().names().schemaName() + " IS '@graphql({\"inflect_names\": false})'");
        GraphqlFixture.SERVICE.schemas().missed(plain.tenant().database().name());
        plain.ask("{ blog_PostCollection { edges { node { __typename long_name author { blog_PostCollection { edges"
                        + " { node { id } } } } } } } }")
                .answers("{'blog_PostCollection':{'edges':[{'node':{'__typename':'Blog_Post','long_name':'x','author':"
                        + "{'blog_PostCollection':{'edges':[{'node':{'id':1}}]}}}}]}}");
    }

    @Test
    void theOwnerCommentsOnTheMainSchema() {
        var own = GraphqlFixture.serve(
                "CREATE TABLE blog_post (id int PRIMARY KEY); INSERT INTO blog_post VALUES (1), (2)");
        own.asOwner("CALL svc_statements.comment_on_schema('public',"
                + " '@graphql({\"inflect_names\": false, \"max_rows\": 1, \"introspection\": false})')");
        own.ask("{ blog_postCollection { edges { node { id } } } }")
                .answers("{'blog_postCollection':{'edges':[{'node':{'id':1}}]}}");
        own.ask("{ __schema { queryType { name } } }").fails("Unknown field \"__schema\" on type Query");
        own.asOwner("CALL svc_statements.comment_on_schema('public', NULL)");
        own.ask("{ blogPostCollection { edges { node { id } } } }")
                .answers("{'blogPostCollection':{'edges':[{'node':{'id':1}},{'node':{'id':2}}]}}");
    }

    @Test
    void commentsNameTypesAndColumns() {
        var named = GraphqlFixture.serve("""
                CREATE TABLE t_user (id int PRIMARY KEY, nm text);
                COMMENT ON TABLE t_user IS 'Rows of people. @graphql({"name": "Person"})';
                COMMENT ON COLUMN t_user.nm IS '@graphql({"name": "fullName"})';
                INSERT INTO t_user VALUES (1, 'Ada');
                """);
        named.ask("{ personCollection { edges { node { __typename fullName } } } personByPk(id: 1) { fullName } }")
                .answers("{'personCollection':{'edges':[{'node':{'__typename':'Person','fullName':'Ada'}}]},"
                        + "'personByPk':{'fullName':'Ada'}}");
    }

    @Test
    void whatCannotBeNamedOrIdentifiedIsLeftOut() {
        var odd = GraphqlFixture.serve("""
                CREATE TABLE no_key (id int);
                CREATE TABLE "größe" (id int PRIMARY KEY);
                CREATE TABLE fine (id int PRIMARY KEY, "with space" int, "__x" int, ok int DEFAULT 1);
                INSERT INTO fine (id) VALUES (1);
                COMMENT ON TABLE fine IS '@graphql({"totalCount": ';
                """);
        odd.ask("{ noKeyCollection { edges { cursor } } }").fails("Unknown field \"noKeyCollection\" on type Query");
        odd.ask("{ fineCollection { edges { node { id ok } } } }")
                .answers("{'fineCollection':{'edges':[{'node':{'id':1,'ok':1}}]}}");
    }

    /** Of two tables with one name after inflection, the first in order is kept, and nothing fails. */
    @Test
    void namesThatCollideKeepTheFirst() {
        var colliding = GraphqlFixture.serve("""
                CREATE TABLE "blogPost" (id int PRIMARY KEY);
                CREATE TABLE blog_post (id int PRIMARY KEY, "otherId" int, other_id int);
                INSERT INTO "blogPost" VALUES (1);
                """);
        colliding
                .ask("{ blogPostCollection { edges { node { id } } } }")
                .answers("{'blogPostCollection':{'edges':[{'node':{'id':1}}]}}");
    }

    /** The key is that of the table, though no document can name its column. */
    @Test
    void ofTwoColumnsWithOneNameTheLastIsAnswered() {
        var colliding = GraphqlFixture.serve("""
                CREATE TABLE pet (_id int PRIMARY KEY, id int);
                INSERT INTO pet VALUES (1, 7), (2, NULL), (3, 8);
                CREATE TABLE odd ("a key" int PRIMARY KEY, ok int);
                INSERT INTO odd VALUES (5, 6);
                """);
        colliding
                .ask("{ petCollection(orderBy: [{id: DescNullsFirst}]) { edges { node { id } } } }")
                .answers("{'petCollection':{'edges':[{'node':{'id':null}},{'node':{'id':8}},{'node':{'id':7}}]}}");
        colliding
                .ask("{ petCollection(filter: {id: {eq: 7}}) { edges { cursor node { id } } } }")
                .answers("{'petCollection':{'edges':[{'cursor':'WzFd','node':{'id':7}}]}}");
        colliding
                .ask("{ node(nodeId: \"WyJwdWJsaWMiLCAicGV0IiwgM10=\") { ... on Pet { id } } }")
                .answers("{'node':{'id':8}}");
        colliding
                .ask("{ oddCollection { edges { node { nodeId ok } } } }")
                .answers("{'oddCollection':{'edges':[{'node':{'nodeId':'WyJwdWJsaWMiLCAib2RkIiwgNV0=','ok':6}}]}}");
        colliding.ask("{ petByPk(id: 7) { id } }").fails("Unknown field \"petByPk\" on type Query");
        colliding.ask("{ oddByPk { ok } }").fails("Unknown field \"oddByPk\" on type Query");
    }

    @Test
    void aColumnGivesWayToAKeysFieldAndBothToAFunctionOfTheRow() {
        var team = GraphqlFixture.serve("""
                CREATE TABLE team (id int PRIMARY KEY, size int, member_count int);
                CREATE TABLE member (id int PRIMARY KEY, team text, team_id int REFERENCES team,
                    other_id int REFERENCES team);
                CREATE FUNCTION _size(team) RETURNS bigint LANGUAGE sql STABLE
                    AS 'SELECT count(*) FROM member WHERE team_id = $1.id';
                CREATE FUNCTION other(member) RETURNS text LANGUAGE sql STABLE AS 'SELECT ''the function''';
                INSERT INTO team VALUES (1, 99);
                INSERT INTO member VALUES (1, 'the column', 1, 1);
                """);
        team.ask(
                        "{ memberCollection(filter: {team: {eq: \"the column\"}}) { edges { node { team { size } other } } } }")
                .answers("{'memberCollection':{'edges':[{'node':{'team':{'size':'1'},'other':'the function'}}]}}");
        JsonNode fields = team.ask("{ __type(name: \"Team\") { fields { name type { name } } } }")
                .data()
                .at("/__type/fields");
        assertThat(fields)
                .extracting(field -> field.path("name").asText())
                .containsExactly("nodeId", "id", "size", "memberCount", "memberCollection");
        assertThat(fields.get(2).at("/type/name").asText()).isEqualTo("BigInt");
    }

    @Test
    void changesOfTheDatabaseAreSeenByTheNextRequest() {
        var changing = GraphqlFixture.serve("CREATE TABLE note (id int PRIMARY KEY); INSERT INTO note VALUES (1)");
        changing.ask("{ noteCollection { edges { node { id } } } }").data();
        changing.asOwner("ALTER TABLE note ADD body text DEFAULT 'b'; CREATE TABLE extra (id int PRIMARY KEY)");
        changing.ask("{ noteCollection { edges { node { body } } } extraCollection { edges { cursor } } }")
                .answers("{'noteCollection':{'edges':[{'node':{'body':'b'}}]},'extraCollection':{'edges':[]}}");
        changing.asOwner("ALTER TABLE note DROP body");
        changing.ask("{ noteCollection { edges { node { body } } } }").fails("Unknown field 'body' on type 'Note'");
    }
}
