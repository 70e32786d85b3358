package svc.graphql.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Policies decide which rows exist; another project's tables, ids and cursors lead nowhere. */
class RowSecurityTest {
    private static final String POLICIES = """
            CREATE TABLE owned (id int PRIMARY KEY, owner text, body text);
            CREATE TABLE part (id int PRIMARY KEY, owned_id int NOT NULL REFERENCES owned);
            ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON owned USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
            COMMENT ON TABLE owned IS '@graphql({"totalCount": {"enabled": true}, "aggregate": {"enabled": true}})';
            INSERT INTO owned VALUES (1, 'ada', 'a'), (2, 'bob', 'b');
            INSERT INTO part VALUES (1, 1), (2, 2);
            """;

    private static final GraphqlFixture ROWS = GraphqlFixture.serve(POLICIES);
    private static final GraphqlFixture NEIGHBOUR = GraphqlFixture.serve(POLICIES
            + "CREATE TABLE only_here (id int PRIMARY KEY); INSERT INTO only_here VALUES (1);"
            + "UPDATE owned SET body = 'of the neighbour'");

    @Test
    void aCallerSeesItsOwnRowsOnly() {
        ROWS.ask("{ ownedCollection { totalCount aggregate { count max { body } } edges { node { body } } }"
                        + " ownedByPk(id: 2) { id } node(nodeId: \"WyJwdWJsaWMiLCAib3duZWQiLCAyXQ==\") { nodeId }"
                        + " partCollection { edges { node { id owned { body } } } } }")
                .as("ada")
                .answers("{'ownedCollection':{'totalCount':1,'aggregate':{'count':1,'max':{'body':'a'}},"
                        + "'edges':[{'node':{'body':'a'}}]},'ownedByPk':null,'node':null,'partCollection':{'edges':"
                        + "[{'node':{'id':1,'owned':{'body':'a'}}},{'node':{'id':2,'owned':null}}]}}");
        ROWS.ask("{ ownedCollection { totalCount edges { cursor } } }")
                .answers("{'ownedCollection':{'totalCount':0,'edges':[]}}");
    }

    @Test
    void aCallerWritesItsOwnRowsOnly() {
        ROWS.ask("mutation { updateOwnedCollection(set: {body: \"a\"}, filter: {}, atMost: 10) { records { id } } }")
                .as("ada")
                .answers("{'updateOwnedCollection':{'records':[{'id':1}]}}");
        ROWS.ask("mutation { insertIntoOwnedCollection(objects: [{id: 9, owner: \"bob\"}]) { affectedCount } }")
                .as("ada")
                .failsLike("new row violates row-level security policy for table \"owned\"");
        assertThat(ROWS.stored("string_agg(body, ',' ORDER BY id) FROM $owned")).isEqualTo("a,b");
    }

    /** The requests of one connection follow each other: nothing of a caller stays for the next. */
    @Test
    void callersInTurnDoNotSeeEachOther() {
        for (int i = 0; i < 30; i++) {
            String user = i % 2 == 0 ? "ada" : "bob";
            ROWS.ask("{ ownedCollection { edges { node { owner } } } }")
                    .as(user)
                    .answers("{'ownedCollection':{'edges':[{'node':{'owner':'" + user + "'}}]}}");
        }
    }

    @Test
    void anotherProjectIsOutOfReach() {
        ROWS.ask("{ onlyHereCollection { edges { cursor } } }")
                .fails("Unknown field \"onlyHereCollection\" on type Query");
        NEIGHBOUR
                .ask("{ onlyHereCollection { edges { node { id } } } }")
                .answers("{'onlyHereCollection':{'edges':[{'node':{'id':1}}]}}");
        String schema = NEIGHBOUR.tenant().names().schemaName();
        String id = Base64.getEncoder()
                .encodeToString(("[\"" + schema + "\", \"only_here\", 1]").getBytes(StandardCharsets.UTF_8));
        ROWS.ask("{ node(nodeId: \"" + id + "\") { nodeId } }")
                .fails("Collection referenced by nodeId did not match any known collection");
        String everything = ROWS.ask("{ __schema { types { name fields { name } } } }")
                .read()
                .toString();
        assertThat(everything)
                .contains("OwnedConnection")
                .doesNotContain("OnlyHere")
                .doesNotContain(schema);
    }

    /** No message names the schema or the roles of the database. */
    @Test
    void messagesUseTheNamesOfTheApplication() {
        ROWS.ask("mutation { insertIntoPartCollection(objects: [{id: 9, ownedId: 77}]) { affectedCount } }")
                .failsLike("violates foreign key constraint");
        String text = ROWS.ask(
                        "mutation { insertIntoPartCollection(objects: [{id: 1, ownedId: 1}]) { affectedCount } }")
                .answer()
                .body();
        assertThat(text)
                .contains("duplicate key")
                .doesNotContain(ROWS.tenant().names().schemaName());
    }
}
