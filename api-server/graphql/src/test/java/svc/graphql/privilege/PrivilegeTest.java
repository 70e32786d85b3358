package svc.graphql.privilege;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** The schema is what the role may use: tables, columns, functions, statements. */
class PrivilegeTest {
    private static final GraphqlFixture SECRETS = GraphqlFixture.serve("""
            CREATE TABLE open (id int PRIMARY KEY, name text, secret text);
            CREATE TABLE closed (id int PRIMARY KEY, open_id int REFERENCES open);
            INSERT INTO open VALUES (1, 'n', 's');
            CREATE FUNCTION hidden() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
            """);

    static {
        String anon = SECRETS.anon();
        SECRETS.asOwner("REVOKE ALL ON open, closed FROM %1$s; GRANT SELECT (id, name), UPDATE (name) ON open TO %1$s;"
                        .formatted(anon)
                + "REVOKE ALL ON FUNCTION hidden() FROM " + anon);
    }

    @Test
    void aRoleSeesTheColumnsThatItMaySelect() {
        SECRETS.ask("{ openCollection { edges { node { id name } } } }")
                .answers("{'openCollection':{'edges':[{'node':{'id':1,'name':'n'}}]}}");
        SECRETS.ask("{ openCollection { edges { node { secret } } } }").fails("Unknown field 'secret' on type 'Open'");
        SECRETS.ask("{ openCollection(filter: {secret: {eq: \"s\"}}) { edges { cursor } } }")
                .fails("Input for type OpenFilter contains extra keys [\"secret\"]");
        SECRETS.ask("{ openCollection(orderBy: [{secret: AscNullsLast}]) { edges { cursor } } }")
                .fails("Input for type OpenOrderBy contains extra keys [\"secret\"]");
        SECRETS.ask("{ openCollection { edges { node { secret } } } }")
                .as("ada")
                .answers("{'openCollection':{'edges':[{'node':{'secret':'s'}}]}}");
    }

    @Test
    void whatARoleMayNotUseIsNotThere() {
        SECRETS.ask("{ closedCollection { edges { cursor } } }")
                .fails("Unknown field \"closedCollection\" on type Query");
        SECRETS.ask("{ openCollection { edges { node { closedCollection { edges { cursor } } } } } }")
                .fails("Unknown field 'closedCollection' on type 'Open'");
        SECRETS.ask("{ hidden }").fails("Unknown field \"hidden\" on type Query");
        SECRETS.ask("{ hidden }").as("ada").answers("{'hidden':1}");
    }

    @Test
    void aRoleWritesWhatItMayWrite() {
        SECRETS.ask("mutation { insertIntoOpenCollection(objects: [{id: 2}]) { affectedCount } }")
                .fails("Unknown field \"insertIntoOpenCollection\" on type Mutation");
        SECRETS.ask("mutation { deleteFromOpenCollection { affectedCount } }")
                .fails("Unknown field \"deleteFromOpenCollection\" on type Mutation");
        SECRETS.ask("mutation { updateOpenCollection(set: {secret: \"x\"}) { affectedCount } }")
                .fails("Input for type OpenUpdateInput contains extra keys [\"secret\"]");
        SECRETS.ask("mutation { updateOpenCollection(set: {name: \"n\"}, filter: {id: {eq: 1}}) { records { name } } }")
                .answers("{'updateOpenCollection':{'records':[{'name':'n'}]}}");
        assertThat(SECRETS.stored("secret FROM $open")).isEqualTo("s");
    }

    @Test
    void aRevokedRightIsGoneWithTheNextRequest() {
        var changing = GraphqlFixture.serve("CREATE TABLE note (id int PRIMARY KEY, body text)");
        changing.ask("{ noteCollection { edges { node { body } } } }").data();
        changing.asOwner(
                "REVOKE ALL ON note FROM " + changing.anon() + "; GRANT SELECT (id) ON note TO " + changing.anon());
        changing.ask("{ noteCollection { edges { node { body } } } }").fails("Unknown field 'body' on type 'Note'");
        changing.ask("{ noteCollection { edges { node { id } } } }").data();
    }
}
