package svc.graphql.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Orders by the row that a key leads to, with cursors. */
class RelatedOrderTest {
    private static final GraphqlFixture BLOG = ExtendedFixture.of(GraphqlFixture.blog());

    @Test
    void rowsAreOrderedByRelatedOnes() {
        BLOG.ask("{ blogCollection(orderBy: [{owner: {email: DescNullsLast}}, {name: AscNullsLast}])"
                        + " { edges { node { id } } } }")
                .answers("{'blogCollection':{'edges':[{'node':{'id':4}},{'node':{'id':3}},{'node':{'id':1}},"
                        + "{'node':{'id':2}}]}}");
        BLOG.ask(
                        "{ blogPostCollection(orderBy: [{blog: {owner: {profile: {bio: AscNullsFirst}}}}]) { edges { node { id } } } }")
                .answers("{'blogPostCollection':{'edges':[{'node':{'id':4}},{'node':{'id':1}},{'node':{'id':2}},"
                        + "{'node':{'id':3}}]}}");
        BLOG.ask("{ accountCollection(filter: {id: {eq: 1}}) { edges { node { blogCollection(orderBy: [{owner:"
                        + " {email: AscNullsLast}}, {id: DescNullsLast}]) { edges { node { id } } } } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'blogCollection':{'edges':[{'node':{'id':2}},"
                        + "{'node':{'id':1}}]}}}]}}");
    }

    @Test
    void cursorsVisitEveryRowOnce() {
        for (String direction : List.of("AscNullsFirst", "AscNullsLast", "DescNullsFirst", "DescNullsLast")) {
            String order = "[{editor: {email: " + direction + "}}, {blog: {name: AscNullsLast}}]";
            List<String> all = ids("first: 30", order);
            List<String> forward = new ArrayList<>();
            String after = "";
            for (int i = 0; i < 4; i++) {
                JsonNode page = page("first: 1" + after, order);
                forward.addAll(ids(page));
                after = ", after: " + page.at("/pageInfo/endCursor");
            }
            assertThat(forward).as(direction).isEqualTo(all).hasSize(4);
            List<String> backward = new ArrayList<>();
            String before = "";
            for (int i = 0; i < 4; i++) {
                JsonNode page = page("last: 1" + before, order);
                backward.addAll(ids(page));
                before = ", before: " + page.at("/pageInfo/startCursor");
            }
            assertThat(backward.reversed()).as(direction).isEqualTo(all);
        }
    }

    private static List<String> ids(String range, String order) {
        return ids(page(range, order));
    }

    private static List<String> ids(JsonNode page) {
        List<String> ids = new ArrayList<>();
        page.path("edges").forEach(edge -> ids.add(edge.at("/node/id").asText()));
        return ids;
    }

    private static JsonNode page(String range, String order) {
        return BLOG.ask("{ blogPostCollection(" + range + ", orderBy: " + order
                        + ") { pageInfo { startCursor endCursor } edges { node { id } } } }")
                .data()
                .path("blogPostCollection");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        BLOG.ask("{ blogCollection(orderBy: [{owner: AscNullsLast}]) { edges { cursor } } }")
                .fails("Invalid input for AccountOrderBy type");
        BLOG.ask("{ blogCollection(orderBy: [{owner: {extra: AscNullsLast}}]) { edges { cursor } } }")
                .fails("Input for type AccountOrderBy contains extra keys [\"extra\"]");
        BLOG.ask("{ blogCollection(orderBy: [{blogPostCollection: {id: AscNullsLast}}]) { edges { cursor } } }")
                .fails("Input for type BlogOrderBy contains extra keys [\"blogPostCollection\"]");
        BLOG.ask("{ blogCollection(orderBy: [{owner: {email: \"ASC; DROP TABLE blog\"}}]) { edges { cursor } } }")
                .fails("Invalid input for OrderByDirection type");
    }

    /** A table that refers to itself could be followed without end. */
    @Test
    void theyAreCounted() {
        var tree = ExtendedFixture.serve("CREATE TABLE tree (id int PRIMARY KEY, parent_id int REFERENCES tree)");
        String order = "{parent: ".repeat(6) + "{id: AscNullsLast}" + "}".repeat(6);
        tree.ask("{ treeCollection(orderBy: [" + order + "]) { edges { cursor } } }")
                .fails("orderBy follows more than 5 relations");
        tree.ask("{ treeCollection(orderBy: [" + "{parent: {id: AscNullsLast}},".repeat(21)
                        + "]) { edges { cursor } } }")
                .fails("The operation has more than 20 filters and orders by relations");
    }
}
