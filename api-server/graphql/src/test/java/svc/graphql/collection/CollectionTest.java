package svc.graphql.collection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.graphql.GraphqlFixture;

/** Connections: edges, cursors, both directions of paging, and the arguments that belong together. */
class CollectionTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aCollectionHasEdgesInTheOrderOfTheKey() {
        BLOG.ask("{ accountCollection { edges { cursor node { id email } } } }")
                .answers("{'accountCollection':{'edges':[{'cursor':'WzFd','node':{'id':1,'email':'ada@x.org'}},"
                        + "{'cursor':'WzJd','node':{'id':2,'email':'bob@x.org'}},"
                        + "{'cursor':'WzNd','node':{'id':3,'email':'cy@x.org'}}]}}");
    }

    @Test
    void firstAndAfterPageForward() {
        BLOG.ask("{ accountCollection(first: 2) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage"
                        + " startCursor endCursor } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':1}},{'node':{'id':2}}],'pageInfo':"
                        + "{'hasNextPage':true,'hasPreviousPage':false,'startCursor':'WzFd','endCursor':'WzJd'}}}");
        BLOG.ask("{ accountCollection(first: 2, after: \"WzJd\") { edges { node { id } } pageInfo { hasNextPage"
                        + " hasPreviousPage startCursor endCursor } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':3}}],'pageInfo':"
                        + "{'hasNextPage':false,'hasPreviousPage':true,'startCursor':'WzNd','endCursor':'WzNd'}}}");
    }

    @Test
    void lastAndBeforePageBackward() {
        BLOG.ask("{ accountCollection(last: 2) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage"
                        + " startCursor endCursor } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':2}},{'node':{'id':3}}],'pageInfo':"
                        + "{'hasNextPage':false,'hasPreviousPage':true,'startCursor':'WzJd','endCursor':'WzNd'}}}");
        BLOG.ask("{ accountCollection(last: 2, before: \"WzNd\") { edges { node { id } } pageInfo { hasNextPage"
                        + " hasPreviousPage } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':1}},{'node':{'id':2}}],'pageInfo':"
                        + "{'hasNextPage':true,'hasPreviousPage':false}}}");
    }

    @Test
    void anEmptyPageHasNoCursorsAndNoNeighbours() {
        BLOG.ask("{ accountCollection(filter: {id: {eq: 99}}) { edges { node { id } } pageInfo { hasNextPage"
                        + " hasPreviousPage startCursor endCursor } } }")
                .answers("{'accountCollection':{'edges':[],'pageInfo':{'hasNextPage':false,"
                        + "'hasPreviousPage':false,'startCursor':null,'endCursor':null}}}");
    }

    @Test
    void offsetSkipsRows() {
        BLOG.ask("{ accountCollection(first: 1, offset: 1) { edges { node { id } } pageInfo { hasPreviousPage } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':2}}],'pageInfo':{'hasPreviousPage':true}}}");
    }

    /** Walks every order forward and backward, one row a page: each row comes once, nulls and equal values too. */
    @ParameterizedTest
    @CsvSource({"AscNullsFirst", "AscNullsLast", "DescNullsFirst", "DescNullsLast"})
    void cursorsVisitEveryRowOnceWhateverTheOrder(String direction) {
        String order = "orderBy: [{rank: " + direction + "}]";
        List<Integer> all = new ArrayList<>();
        BLOG.ask("{ blogCollection(" + order + ") { edges { node { id } } } }")
                .data()
                .at("/blogCollection/edges")
                .forEach(edge -> all.add(edge.at("/node/id").asInt()));
        assertThat(all).hasSize(4);
        assertThat(walk(order, "first: 1", "after", "endCursor")).isEqualTo(all);
        assertThat(walk(order, "last: 1", "before", "startCursor")).isEqualTo(all.reversed());
    }

    private static List<Integer> walk(String order, String size, String argument, String end) {
        List<Integer> seen = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < 10; page++) {
            String position = cursor.isEmpty() ? "" : ", " + argument + ": \"" + cursor + "\"";
            JsonNode found = BLOG.ask("{ blogCollection(" + size + ", " + order + position
                            + ") { edges { node { id } } pageInfo { " + end + " } } }")
                    .data()
                    .path("blogCollection");
            if (found.path("edges").isEmpty()) {
                return seen;
            }
            seen.add(found.at("/edges/0/node/id").asInt());
            cursor = found.at("/pageInfo/" + end).asText();
        }
        throw new AssertionError("the pages do not end: " + seen);
    }

    @Test
    void aPageHasThirtyRowsAtMostUnlessACommentSaysOtherwise() {
        var many = GraphqlFixture.serve("""
                CREATE TABLE small (id int PRIMARY KEY);
                CREATE TABLE large (id int PRIMARY KEY);
                COMMENT ON TABLE large IS '@graphql({"max_rows": 40})';
                INSERT INTO small SELECT generate_series(1, 50);
                INSERT INTO large SELECT generate_series(1, 50);
                """);
        JsonNode found = many.ask("{ smallCollection { edges { cursor } } more: smallCollection(first: 45)"
                        + " { edges { cursor } } largeCollection { edges { cursor } } few: largeCollection(first: 0)"
                        + " { edges { cursor } } }")
                .data();
        assertThat(found.at("/smallCollection/edges")).hasSize(30);
        assertThat(found.at("/more/edges")).hasSize(30);
        assertThat(found.at("/largeCollection/edges")).hasSize(40);
        assertThat(found.at("/few/edges")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "first: 1, last: 1;only one of \"first\" and \"last\" may be provided",
                "before: \"WzFd\", after: \"WzFd\";only one of \"before\" and \"after\" may be provided",
                "first: 1, before: \"WzFd\";\"first\" may only be used with \"after\"",
                "last: 1, after: \"WzFd\";\"last\" may only be used with \"before\"",
                "last: 1, offset: 1;\"offset\" may only be used with \"first\" and \"after\"",
                "first: -1;`first` must be an unsigned integer",
                "after: \"%\";Failed to decode cursor",
                "after: \"WzEsMl0=\";orderBy clause incompatible with pagination cursor"
            })
    void argumentsThatDoNotGoTogetherAreRefused(String arguments, String message) {
        BLOG.ask("{ accountCollection(" + arguments + ") { edges { cursor } } }")
                .fails(message);
    }

    @Test
    void nullArgumentsAreAbsent() {
        BLOG.ask("{ accountCollection(first: null, last: null, filter: null, orderBy: null, after: null, first2: 1)"
                        + " { edges { cursor } } }")
                .fails("Input contains extra keys [\"first2\"]");
        BLOG.ask("{ accountCollection(first: null, last: 1, filter: null, orderBy: null, after: null)"
                        + " { edges { cursor } } }")
                .answers("{'accountCollection':{'edges':[{'cursor':'WzNd'}]}}");
    }

    @Test
    void totalCountIsOnByComment() {
        BLOG.ask("{ blogCollection(first: 1, filter: {id: {gt: 1}}) { totalCount } }")
                .answers("{'blogCollection':{'totalCount':3}}");
        BLOG.ask("{ accountCollection { totalCount } }").fails("unknown field in connection");
    }
}
