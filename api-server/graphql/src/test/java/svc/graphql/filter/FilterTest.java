package svc.graphql.filter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.graphql.GraphqlFixture;

/** Filters: every operator, their combinations, and what they refuse. */
class FilterTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    private static String ids(String found) {
        var edges = new StringBuilder();
        for (String id : found == null ? new String[0] : found.split(" ")) {
            edges.append(edges.isEmpty() ? "" : ",")
                    .append("{'node':{'id':")
                    .append(id)
                    .append("}}");
        }
        return edges.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "id: {eq: 2};2",
                "id: {neq: 2};1 3",
                "id: {gt: 1, lt: 3};2",
                "id: {gte: 2};2 3",
                "id: {lte: 2};1 2",
                "id: {in: [1, 3]};1 3",
                "id: {in: 3};3",
                "id: {in: []};",
                "visits: {is: NULL};2",
                "visits: {is: NOT_NULL};1 3",
                "visits: {eq: \"9007199254740993\"};1",
                "visits: {eq: 7};3",
                "visits: {lt: null};",
                "balance: {gt: \"1.5\"};1",
                "score: {lt: 0};3",
                "active: {eq: true};1",
                "active: {is: NULL};3",
                "born: {gt: \"1850-01-01\"};3",
                "createdAt: {lte: \"2026-01-02T03:04:05Z\"};1",
                "token: {in: [\"11111111-1111-1111-1111-111111111111\"]};1",
                "email: {startsWith: \"a\"};1",
                "email: {like: \"%o%@%\"};2",
                "email: {ilike: \"ADA%\"};1",
                "email: {regex: \"^[bc]\"};2 3",
                "email: {iregex: \"^[BC]\"};2 3",
                "nodeId: {eq: \"WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd\"};1",
                "and: [{id: {gt: 1}}, {id: {lt: 3}}];2",
                "or: [{id: {eq: 1}}, {id: {eq: 3}}];1 3",
                "not: {id: {eq: 1}};2 3",
                "not: {or: [{id: {eq: 1}}, {and: [{id: {eq: 3}}]}]};2",
                "or: {id: {eq: 1}};1",
                "and: [], or: [], not: {};1 2 3",
                "id: {};1 2 3",
                "id: null, not: null;1 2 3"
            })
    void accounts(String filter, String found) {
        BLOG.ask("{ accountCollection(filter: {" + filter + "}) { edges { node { id } } } }")
                .answers("{'accountCollection':{'edges':[" + ids(found) + "]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tags: {contains: [\"a\"]};1",
                "tags: {contains: \"b\"};1 2",
                "tags: {containedBy: [\"b\", \"c\"]};2 4",
                "tags: {overlaps: [\"a\", \"z\"]};1",
                "tags: {eq: [\"a\", \"b\"]};1",
                "tags: {is: NULL};3"
            })
    void lists(String filter, String found) {
        BLOG.ask("{ blogCollection(filter: {" + filter + "}) { edges { node { id } } } }")
                .answers("{'blogCollection':{'edges':[" + ids(found) + "]}}");
    }

    @Test
    void enums() {
        BLOG.ask("{ blogPostCollection(filter: {status: {eq: released}}) { edges { node { title status } } } }")
                .answers("{'blogPostCollection':{'edges':[{'node':{'title':'First','status':'released'}},"
                        + "{'node':{'title':'Ode','status':'released'}}]}}");
        BLOG.ask("{ blogPostCollection(filter: {status: {in: [gone]}}) { edges { cursor } } }")
                .fails("Invalid input for PostStatus type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "idd: {eq: 2};Input for type AccountFilter contains extra keys [\"idd\"]",
                "id: {like: \"2\"};Input for type IntFilter contains extra keys [\"like\"]",
                "extra: {eq: \"2\"};Input for type AccountFilter contains extra keys [\"extra\"]",
                "id: {eq: \"2\"};Invalid input for Int type",
                "id: {eq: 3000000000};Invalid input for Int type",
                "balance: {eq: 1};Invalid input for BigFloat type. String required",
                "email: {eq: 1};Invalid input for String type",
                "active: {eq: \"true\"};Invalid input for Boolean type",
                "id: 2;Invalid input for IntFilter type",
                "visits: {is: MAYBE};Invalid input for FilterIs type",
                "and: [1];Invalid input for AccountFilter type",
                "nodeId: {eq: \"x\"};Invalid value passed to nodeId argument. Error 2",
                "nodeId: {eq: \"WyJwdWJsaWMiLCAiYmxvZyIsIDFd\"};nodeId belongs to a different collection"
            })
    void whatDoesNotFitIsRefused(String filter, String message) {
        BLOG.ask("{ accountCollection(filter: {" + filter + "}) { edges { cursor } } }")
                .fails(message);
    }

    @Test
    void theWholeFilterOrAnyPartMayBeAVariable() {
        String expected = "{'accountCollection':{'edges':[{'node':{'id':2}}]}}";
        BLOG.ask("query ($f: AccountFilter) { accountCollection(filter: $f) { edges { node { id } } } }")
                .variables("{'f':{'id':{'eq':2}}}")
                .answers(expected);
        BLOG.ask("query ($i: IntFilter, $n: String) { accountCollection(filter: {id: $i, email: {startsWith: $n}})"
                        + " { edges { node { id } } } }")
                .variables("{'i':{'gt':1},'n':'b'}")
                .answers(expected);
        BLOG.ask("query ($ids: [Int!]!) { accountCollection(filter: {id: {in: $ids}}) { edges { node { id } } } }")
                .variables("{'ids':[2]}")
                .answers(expected);
    }

    @Test
    void aVariableWithoutAValueIsNoCondition() {
        BLOG.ask("query ($n: String) { accountCollection(filter: {id: {eq: 2}, email: {startsWith: $n}})"
                        + " { edges { node { id } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':2}}]}}");
    }
}
