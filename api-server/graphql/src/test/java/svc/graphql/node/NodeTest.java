package svc.graphql.node;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** The field node, global ids, and single rows by key. */
class NodeTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aNodeIdLeadsBackToItsRow() {
        BLOG.ask("{ accountCollection(first: 1) { edges { node { nodeId } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'nodeId':'WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd'}}]}}");
        BLOG.ask("{ node(nodeId: \"WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd\") { __typename nodeId ... on Account { email }"
                        + " ... on Blog { name } } }")
                .answers("{'node':{'__typename':'Account','nodeId':'WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd',"
                        + "'email':'ada@x.org'}}");
    }

    @Test
    void aRowThatIsNotThereIsNull() {
        BLOG.ask("{ accountByPk(id: 99) { id } }").answers("{'accountByPk':null}");
        BLOG.ask("{ accountByPk(id: 2) { id email } }").answers("{'accountByPk':{'id':2,'email':'bob@x.org'}}");
    }

    @Test
    void anIdOfNothingIsRefused() {
        BLOG.ask("{ node(nodeId: \"WyJwdWJsaWMiLCAibm9wZSIsIDFd\") { nodeId } }")
                .fails("Collection referenced by nodeId did not match any known collection");
        BLOG.ask("{ node(nodeId: \"bm9wZQ==\") { nodeId } }").fails("Invalid value passed to nodeId argument. Error 3");
        BLOG.ask("{ node { nodeId } }").fails("Missing required argument \"nodeId\"");
        BLOG.ask("{ accountByPk { id } }").fails("Missing required argument \"id\"");
    }
}
