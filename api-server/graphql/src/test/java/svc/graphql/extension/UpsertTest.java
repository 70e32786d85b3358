package svc.graphql.extension;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** onConflict: updates what exists, or leaves it. */
class UpsertTest {
    private static final GraphqlFixture ITEMS = ExtendedFixture.serve("""
            CREATE TABLE item (id int PRIMARY KEY, code text UNIQUE, "odd name" text, n int DEFAULT 1,
                a int, b int, UNIQUE (a, b));
            """);

    @BeforeEach
    void rows() {
        ITEMS.asOwner(
                "TRUNCATE item; INSERT INTO item (id, code, n, a, b) VALUES (1, 'x', 5, 1, 1), (2, 'y', 6, 1, 2)");
    }

    private static String insert(String objects, String conflict) {
        return "mutation { insertIntoItemCollection(objects: [" + objects + "], onConflict: " + conflict
                + ") { affectedCount records { id code n } } }";
    }

    @Test
    void whatExistsIsUpdatedWithTheProvidedFields() {
        ITEMS.ask(insert("{id: 1, n: 50}, {id: 3, code: \"z\", n: 7}", "{}"))
                .answers("{'insertIntoItemCollection':{'affectedCount':2,'records':[{'id':1,'code':null,'n':50},"
                        + "{'id':3,'code':'z','n':7}]}}");
        ITEMS.ask(insert("{id: 9, code: \"y\", n: 60}", "{columns: [code], updateFields: [n]}"))
                .answers("{'insertIntoItemCollection':{'affectedCount':1,'records':[{'id':2,'code':'y','n':60}]}}");
        ITEMS.ask(insert("{id: 9, a: 1, b: 2, n: 61}", "{columns: [b, a], updateFields: [n]}"))
                .answers("{'insertIntoItemCollection':{'affectedCount':1,'records':[{'id':2,'code':'y','n':61}]}}");
    }

    @Test
    void whatExistsIsLeftAsItIs() {
        ITEMS.ask(insert("{id: 1, n: 50}, {id: 3, n: 7}", "{updateFields: []}"))
                .answers("{'insertIntoItemCollection':{'affectedCount':1,'records':[{'id':3,'code':null,'n':7}]}}");
        ITEMS.ask(insert("{id: 1, n: 50}, {id: 2, n: 51}", "{updateFields: [n], filter: {n: {gt: 5}}}"))
                .answers("{'insertIntoItemCollection':{'affectedCount':1,'records':[{'id':2,'code':'y','n':51}]}}");
        assertThat(ITEMS.stored("n FROM $item WHERE id = 1")).isEqualTo("5");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        ITEMS.ask(insert("{id: 1}", "{columns: [n]}")).fails("onConflict: Item has no unique key of these columns");
        ITEMS.ask(insert("{id: 1}", "{columns: [a]}")).fails("onConflict: Item has no unique key of these columns");
        ITEMS.ask(insert("{id: 1}", "{columns: []}")).fails("onConflict: Item has no unique key of these columns");
        ITEMS.ask(insert("{id: 1}", "{columns: [\"id) DO NOTHING; --\"]}"))
                .fails("Invalid input for ItemColumnName type");
        ITEMS.ask(insert("{id: 1}", "{updateFields: [nope]}")).fails("Invalid input for ItemColumnName type");
        ITEMS.ask(insert("{id: 1}", "{constraint: item_pkey}"))
                .fails("Input for type ItemOnConflict contains extra keys [\"constraint\"]");
        ITEMS.ask(insert("{id: 1}", "[1]")).fails("Invalid input for ItemOnConflict type");
        ITEMS.ask(insert("{id: 1, n: 1}, {id: 1, n: 2}", "{}")).failsLike("cannot affect row a second time");
        ITEMS.ask(insert("{id: 1}", "{filter: {n: {gt: \"x\"}}}")).fails("Invalid input for Int type");
    }

    /** Without the right to update, what exists can only be left; policies apply to the update, too. */
    @Test
    void rightsAndPoliciesApply() {
        var guarded = ExtendedFixture.serve("""
                CREATE TABLE log (id int PRIMARY KEY, line text);
                CREATE TABLE owned (id int PRIMARY KEY, owner text, body text);
                ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON owned USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
                INSERT INTO log VALUES (1, 'kept');
                INSERT INTO owned VALUES (1, 'bob', 'b');
                """);
        guarded.asOwner("REVOKE UPDATE ON log FROM " + guarded.anon());
        guarded.ask("mutation { insertIntoLogCollection(objects: [{id: 1, line: \"x\"}], onConflict: {})"
                        + " { affectedCount } }")
                .fails("onConflict: the field \"line\" cannot be updated");
        guarded.ask(
                        "mutation { insertIntoLogCollection(objects: [{id: 1, line: \"x\"}], onConflict: {updateFields: []})"
                                + " { affectedCount } }")
                .answers("{'insertIntoLogCollection':{'affectedCount':0}}");
        guarded.ask("mutation { insertIntoOwnedCollection(objects: [{id: 1, owner: \"ada\", body: \"x\"}],"
                        + " onConflict: {}) { affectedCount } }")
                .as("ada")
                .failsLike("violates row-level security policy");
        assertThat(guarded.stored("body FROM $owned")).isEqualTo("b");
        assertThat(guarded.stored("line FROM $log")).isEqualTo("kept");
    }
}
