package svc.graphql.language;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.graphql.GraphqlFixture;

/** Aliases, fragments, directives, variables, and the choice of the operation. */
class LanguageTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aliasesAndSeveralRootFieldsAreAnsweredInOrder() {
        BLOG.ask("{ __typename b: accountByPk(id: 2) { key: id id mail: email } a: accountByPk(id: 1) { id } }")
                .answers("{'__typename':'Query','b':{'key':2,'id':2,'mail':'bob@x.org'},'a':{'id':1}}");
    }

    @Test
    void fragmentsMergeAtEveryLevel() {
        BLOG.ask("query { ...Q accountByPk(id: 1) { email } } fragment Q on Query { accountByPk(id: 1) { ...A"
                        + " ... { id } } } fragment A on Account { ... on Node { nodeId } ... on Blog { name }"
                        + " __typename }")
                .answers("{'accountByPk':{'nodeId':'WyJwdWJsaWMiLCAiYWNjb3VudCIsIDFd','__typename':'Account','id':1,"
                        + "'email':'ada@x.org'}}");
    }

    @Test
    void skipAndIncludeLeaveFieldsOut() {
        BLOG.ask("query ($yes: Boolean!, $no: Boolean = false) { accountByPk(id: 1) { id @include(if: $yes) email"
                        + " @skip(if: $yes) score @include(if: $no) ...F @skip(if: true) active @skip(if: $no)"
                        + " @include(if: $yes) } } fragment F on Account { born }")
                .variables("{'yes':true}")
                .answers("{'accountByPk':{'id':1,'active':true}}");
    }

    @Test
    void variablesHaveDefaults() {
        String query = "query ($id: Int! = 2) { accountByPk(id: $id) { id } }";
        BLOG.ask(query).answers("{'accountByPk':{'id':2}}");
        BLOG.ask(query).variables("{'id':3}").answers("{'accountByPk':{'id':3}}");
        BLOG.ask("query ($id: Int!) { accountByPk(id: $id) { id } }").refused("Variable \"$id\" must have a value");
        BLOG.ask("{ accountByPk(id: $id) { id } }").refused("Variable \"$id\" is not defined");
    }

    @Test
    void aVariableThatIsNotDeclaredHasTheValueOfTheRequest() {
        BLOG.ask("{ accountByPk(id: $id) { id } }").variables("{'id':3}").answers("{'accountByPk':{'id':3}}");
        BLOG.ask(
                        "query ($other: Int) { accountCollection(filter: {id: {in: $ids}}, first: $other) { edges { node { id } } } }")
                .variables("{'ids':[1,3]}")
                .answers("{'accountCollection':{'edges':[{'node':{'id':1}},{'node':{'id':3}}]}}");
        for (String type : List.of("Account", "Blog")) {
            BLOG.ask("{ __type(name: $type) { name } }")
                    .variables("{'type':'" + type + "'}")
                    .answers("{'__type':{'name':'" + type + "'}}");
        }
    }

    @Test
    void theOperationIsChosenByItsName() {
        String two = "query A { accountByPk(id: 1) { id } } query B { accountByPk(id: 2) { id } }";
        BLOG.ask(two).operation("B").answers("{'accountByPk':{'id':2}}");
        BLOG.ask(two).operation("C").refused("Operation not found");
        BLOG.ask(two).refused("operationName is required: the document has several operations");
        BLOG.ask(two + " query A { __typename }").operation("B").refused("Operation names must be unique");
        BLOG.ask(two + " { __typename }")
                .operation("B")
                .refused("Anonymous operations must be the only defined operation");
        BLOG.ask("subscription { x }").refused("Subscriptions are not supported");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{ nope { id } };Unknown field \"nope\" on type Query",
                "{ accountByPk(id: 1) { nope } };Unknown field 'nope' on type 'Account'",
                "{ accountCollection { nope } };unknown field in connection",
                "{ accountCollection { edges { nope } } };unknown field in edge",
                "{ accountByPk(id: 1) { id { x } } };Field 'id' must not have a selection of subfields",
                "{ accountByPk(id: 1) };Field 'accountByPk' must have a selection of subfields",
                "{ accountByPk(id: 1) { id(x: 1) } };Input contains extra keys [\"x\"]",
                "{ accountByPk(id: 1, idd: 2) { id } };Input contains extra keys [\"idd\"]",
                "{ accountByPk(id: 1) { id: email id } };Fields `email` and `id` are different"
            })
    void errorsHavePgGraphqlsWords(String query, String message) {
        BLOG.ask(query).fails(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{ a: accountByPk(id: 1) { id } a: accountByPk(id: 2) { id } };Two fields named `a` have different"
                        + " arguments",
                "{ ...F } fragment F on Query { ...G } fragment G on Query { ...F };Found a cycle between fragments",
                "{ ...F };no fragment named F",
                "{ __typename @skip };Incorrect arguments to directive @skip",
                "{ __typename @include(of: true) };Unknown argument to @include: of",
                "{ __typename @skip(if: 1) };Value for \"if\" in @skip directive must be a Boolean",
                "query ($x: Boolean) { __typename @skip(if: $x) };Value for \"if\" in @skip directive is required",
                "{ __typename @live };Unknown directive live"
            })
    void errorsOfRootFieldsAreThoseOfTheDocument(String query, String message) {
        BLOG.ask(query).refused(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"{", "}", "''", "query {", "{ a(b: ) { c } }", "{ a } type X { y: Int }", "null", "\"\\\\u0000\""})
    void whatIsNoDocumentIsRefused(String query) {
        BLOG.ask(query).status(200).failsLike("");
    }

    @Test
    void textThatPostgresqlCannotHoldIsRefused() {
        BLOG.ask("{ accountCollection(filter: {email: {eq: \"a\\u0000b\"}}) { edges { cursor } } }")
                .fails("unsupported Unicode escape sequence: \\u0000 cannot be converted to text");
        BLOG.ask("{ accountCollection(filter: {email: {eq: \"'; DROP TABLE account; --\"}}) { edges { cursor } } }")
                .answers("{'accountCollection':{'edges':[]}}");
    }
}
