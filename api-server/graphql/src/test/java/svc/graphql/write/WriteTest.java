package svc.graphql.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Inserts, updates and deletes: payloads, defaults, limits, one transaction in the document's order. */
class WriteTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.serve(GraphqlFixture.BLOG);

    @BeforeEach
    void empty() {
        BLOG.asOwner("DELETE FROM blog_post; ALTER TABLE blog_post ALTER id RESTART WITH 1");
    }

    @Test
    void anInsertReturnsItsRecordsWithTheirRelations() {
        BLOG.ask(
                        "mutation { insertIntoBlogPostCollection(objects: [{title: \"a\", blogId: 1}, {title: \"b\", status:"
                                + " released}]) { __typename affectedCount records { id title status blog { name } nodeId } } }")
                .answers("{'insertIntoBlogPostCollection':{'__typename':'BlogPostInsertResponse','affectedCount':2,"
                        + "'records':[{'id':1,'title':'a','status':'draft','blog':{'name':'Engines'},"
                        + "'nodeId':'WyJwdWJsaWMiLCAiYmxvZ19wb3N0IiwgMV0='},{'id':2,'title':'b','status':'released',"
                        + "'blog':null,'nodeId':'WyJwdWJsaWMiLCAiYmxvZ19wb3N0IiwgMl0='}]}}");
    }

    @Test
    void omittedKeysAreDefaultsAndNullIsNull() {
        BLOG.ask(
                        "mutation ($s: PostStatus, $b: Int) { insertIntoBlogPostCollection(objects: [{title: \"x\", status: $s,"
                                + " blogId: $b}]) { records { status blogId } } }")
                .variables("{'b':null}")
                .answers("{'insertIntoBlogPostCollection':{'records':[{'status':'draft','blogId':null}]}}");
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: [{title: null}]) { affectedCount } }")
                .failsLike("violates not-null constraint");
    }

    @Test
    void anUpdateChangesAtMostOneRowByDefault() {
        BLOG.asOwner("INSERT INTO blog_post (title, blog_id) VALUES ('a', 1), ('b', 1)");
        BLOG.ask(
                        "mutation { updateBlogPostCollection(set: {title: \"z\"}, filter: {blogId: {eq: 1}}) { affectedCount } }")
                .fails("update impacts too many records");
        assertThat(BLOG.stored("count(*) FROM $blog_post WHERE title = 'z'")).isEqualTo("0");
        BLOG.ask("mutation { updateBlogPostCollection(set: {title: \"z\", blogId: null}, filter: {blogId: {eq: 1}},"
                        + " atMost: 2) { affectedCount records { title blogId } } }")
                .answers("{'updateBlogPostCollection':{'affectedCount':2,'records':[{'title':'z','blogId':null},"
                        + "{'title':'z','blogId':null}]}}");
    }

    @Test
    void aDeleteRemovesAtMostOneRowByDefault() {
        BLOG.asOwner("INSERT INTO blog_post (title) VALUES ('a'), ('b')");
        BLOG.ask("mutation { deleteFromBlogPostCollection { affectedCount } }")
                .fails("delete impacts too many records");
        BLOG.ask("mutation { deleteFromBlogPostCollection(filter: {title: {eq: \"a\"}}) { affectedCount records { title"
                        + " shouted: title } } }")
                .answers(
                        "{'deleteFromBlogPostCollection':{'affectedCount':1,'records':[{'title':'a','shouted':'a'}]}}");
        assertThat(BLOG.stored("count(*) FROM $blog_post")).isEqualTo("1");
    }

    @Test
    void theFieldsOfAMutationRunInOrderInOneTransaction() {
        BLOG.ask("mutation { a: insertIntoBlogPostCollection(objects: {title: \"a\"}) { records { id } } b:"
                        + " updateBlogPostCollection(set: {title: \"b\"}, filter: {title: {eq: \"a\"}}) { affectedCount }"
                        + " c: deleteFromBlogPostCollection(filter: {title: {eq: \"b\"}}) { records { title } } }")
                .answers("{'a':{'records':[{'id':1}]},'b':{'affectedCount':1},'c':{'records':[{'title':'b'}]}}");
        BLOG.ask("mutation { a: insertIntoBlogPostCollection(objects: {title: \"a\"}) { affectedCount } b:"
                        + " deleteFromBlogPostCollection(atMost: 0) { affectedCount } }")
                .fails("delete impacts too many records");
        BLOG.ask("mutation { a: insertIntoBlogPostCollection(objects: {title: \"a\"}) { affectedCount } b:"
                        + " insertIntoBlogPostCollection(objects: {title: \"b\", blogId: 99}) { affectedCount } }")
                .failsLike("violates foreign key constraint");
        assertThat(BLOG.stored("count(*) FROM $blog_post")).isEqualTo("0");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: []) { affectedCount } }")
                .fails("At least one record must be provided to objects");
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: [{titel: \"x\"}]) { affectedCount } }")
                .fails("Input for type BlogPostInsertInput contains extra keys [\"titel\"]");
        BLOG.ask("mutation { updateBlogPostCollection(set: {}) { affectedCount } }")
                .fails("At least one mapping must be provided to set argument");
        BLOG.ask("mutation { insertIntoBlogPostCollection(objects: [{title: \"123456789012345678901\"}])"
                        + " { affectedCount } }")
                .fails("Invalid input for String type. Maximum character length 20");
        BLOG.ask("mutation { deleteFromBlogPostCollection(atMost: -1) { affectedCount } }")
                .fails("`atMost` must be an unsigned integer");
        BLOG.ask("mutation { nope }").fails("Unknown field \"nope\" on type Mutation");
    }

    @Test
    void listsJsonAndNumbersAreWrittenAsTheyAreRead() {
        var all = GraphqlFixture.serve(
                "CREATE TABLE thing (id bigint PRIMARY KEY, tags text[], doc jsonb, amount numeric,"
                        + " on_day date, twice bigint GENERATED ALWAYS AS (id * 2) STORED)");
        all.ask(
                        "mutation ($o: [ThingInsertInput!]!) { insertIntoThingCollection(objects: $o) { records { id tags doc amount"
                                + " onDay twice } } }")
                .variables(
                        "{'o':[{'id':'9007199254740993','tags':['a','b \\\\ \\\"c\\\"',null],'doc':'{\\\"k\\\":[1]}',"
                                + "'amount':'0.10','onDay':'2026-02-03'}]}")
                .answers("{'insertIntoThingCollection':{'records':[{'id':'9007199254740993','tags':['a',"
                        + "'b \\\\ \\\"c\\\"',null],'doc':'{\\\"k\\\": [1]}','amount':'0.10','onDay':'2026-02-03',"
                        + "'twice':'18014398509481986'}]}}");
        all.ask("mutation { insertIntoThingCollection(objects: [{id: 1, twice: 2}]) { affectedCount } }")
                .fails("Input for type ThingInsertInput contains extra keys [\"twice\"]");
    }

    @Test
    void objectsWithoutKeysAreRowsOfDefaults() {
        var counters = GraphqlFixture.serve(
                "CREATE TABLE counter (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n int DEFAULT 7)");
        counters.ask("mutation { insertIntoCounterCollection(objects: [{}, {}]) { records { id n } } }")
                .answers("{'insertIntoCounterCollection':{'records':[{'id':1,'n':7},{'id':2,'n':7}]}}");
    }
}
