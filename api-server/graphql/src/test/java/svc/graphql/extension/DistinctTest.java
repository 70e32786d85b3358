package svc.graphql.extension;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** distinctOn: one row for each combination of values, the first in the order. */
class DistinctTest {
    private static final GraphqlFixture BLOG = ExtendedFixture.of(GraphqlFixture.blog());

    private static void blogs(String arguments, String ids) {
        var edges = new StringBuilder();
        for (String id : ids.split(" ")) {
            edges.append(edges.isEmpty() ? "" : ",")
                    .append("{'node':{'id':")
                    .append(id)
                    .append("}}");
        }
        BLOG.ask("{ blogCollection(" + arguments + ") { edges { node { id } } } }")
                .answers("{'blogCollection':{'edges':[" + edges + "]}}");
    }

    @Test
    void oneRowForEachValue() {
        blogs("distinctOn: [ownerId]", "1 3 4");
        blogs("distinctOn: [ownerId], orderBy: [{ownerId: DescNullsLast}, {id: DescNullsLast}]", "4 3 2");
        blogs("distinctOn: rank, orderBy: [{rank: AscNullsFirst}]", "3 4 1");
        blogs("distinctOn: [ownerId, rank]", "1 3 4");
        blogs("distinctOn: [rank], filter: {id: {gt: 1}}", "4 2 3");
        blogs("distinctOn: []", "1 2 3 4");
    }

    @Test
    void pagesAndCountsAreOfTheDistinctRows() {
        BLOG.ask("{ blogCollection(distinctOn: [ownerId], first: 2) { totalCount aggregate { count } pageInfo"
                        + " { hasNextPage } edges { cursor node { id shout } } } }")
                .answers("{'blogCollection':{'totalCount':3,'aggregate':{'count':3},'pageInfo':{'hasNextPage':true},"
                        + "'edges':[{'cursor':'WzEsIDFd','node':{'id':1,'shout':'ENGINES'}},"
                        + "{'cursor':'WzIsIDNd','node':{'id':3,'shout':'BIRDS'}}]}}");
        blogs("distinctOn: [ownerId], first: 2, after: \"WzEsIDFd\"", "3 4");
        blogs("distinctOn: [ownerId], last: 1, before: \"WzIsIDNd\"", "1");
        blogs("distinctOn: [ownerId], offset: 1", "3 4");
        BLOG.ask("{ accountByPk(id: 1) { blogCollection(distinctOn: [rank]) { edges { node { id drafts(distinctOn:"
                        + " [status]) { edges { node { title } } } } } } } }")
                .answers("{'accountByPk':{'blogCollection':{'edges':[{'node':{'id':1,'drafts':{'edges':[{'node':"
                        + "{'title':'Second'}}]}}}]}}}");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        BLOG.ask("{ blogCollection(distinctOn: [nope]) { edges { cursor } } }")
                .fails("Invalid input for BlogColumnName type");
        BLOG.ask("{ blogCollection(distinctOn: [tags]) { edges { cursor } } }")
                .fails("Invalid input for BlogColumnName type");
        BLOG.ask("{ blogCollection(distinctOn: [id, id]) { edges { cursor } } }")
                .fails("Invalid input for BlogColumnName type");
        BLOG.ask("{ blogCollection(distinctOn: [ownerId], orderBy: [{name: AscNullsLast}]) { edges { cursor } } }")
                .fails("orderBy must begin with the columns of distinctOn");
        BLOG.ask(
                        "{ blogCollection(distinctOn: [ownerId], orderBy: [{owner: {id: AscNullsLast}}]) { edges { cursor } } }")
                .fails("orderBy must begin with the columns of distinctOn");
    }
}
