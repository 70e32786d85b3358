package svc.graphql.order;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.graphql.GraphqlFixture;

/** The argument orderBy. */
class OrderTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[{rank: AscNullsFirst}];3,4,1,2",
                "[{rank: AscNullsLast}];4,1,2,3",
                "[{rank: DescNullsFirst}];3,1,2,4",
                "[{rank: DescNullsLast}, {id: DescNullsLast}];2,1,4,3",
                "[{rank: DescNullsLast, name: DescNullsLast}];2,1,4,3",
                "{name: AscNullsLast};3,4,1,2",
                "[];1,2,3,4",
                "[{rank: null}];1,2,3,4"
            })
    void rowsComeInTheOrderThatIsAsked(String order, String ids) {
        var expected = new StringBuilder();
        for (String id : ids.split(",")) {
            expected.append(expected.isEmpty() ? "" : ",").append("{'node':{'id':" + id + "}}");
        }
        BLOG.ask("{ blogCollection(orderBy: " + order + ") { edges { node { id } } } }")
                .answers("{'blogCollection':{'edges':[" + expected + "]}}");
    }

    @Test
    void whatHasNoOrderIsRefused() {
        BLOG.ask("{ blogCollection(orderBy: [{tags: AscNullsLast}]) { edges { cursor } } }")
                .fails("Input for type BlogOrderBy contains extra keys [\"tags\"]");
        BLOG.ask("{ blogCollection(orderBy: [{id: up}]) { edges { cursor } } }")
                .fails("Invalid input for OrderByDirection type");
        BLOG.ask("{ blogCollection(orderBy: [1]) { edges { cursor } } }").fails("Invalid input for BlogOrderBy type");
    }
}
