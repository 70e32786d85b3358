package svc.graphql.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;
import svc.graphql.document.Documents;
import svc.graphql.document.Operation;
import svc.graphql.request.GraphqlLimits;

/** Products of two sizes of a request: what grows with them is refused before it is made, and a neighbour is answered. */
class MultipliedWorkTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();
    private static final GraphqlFixture NEIGHBOUR = GraphqlFixture.serve("CREATE TABLE note (id int PRIMARY KEY)");

    private static void neighbourIsAnswered() {
        NEIGHBOUR.ask("{ noteCollection { edges { cursor } } }").answers("{'noteCollection':{'edges':[]}}");
    }

    private static String numbers(int count) {
        return "[" + "1234567,".repeat(count) + "1]";
    }

    @Test
    void aVariableCountsAsOftenAsItIsUsed() {
        String filters = "{id: {in: $ids}},".repeat(240);
        BLOG.ask("query ($ids: [Int!]) { accountCollection(filter: {or: [" + filters + "]}) { edges { cursor } } }")
                .variables("{'ids':" + numbers(40_000) + "}")
                .failsLike("The values of the operation have more than");
        BLOG.ask("query ($ids: [Int!]) { accountCollection(filter: {id: {in: $ids}}) { edges { node { id } } } }")
                .variables("{'ids':" + numbers(250_000) + "}")
                .answers("{'accountCollection':{'edges':[{'node':{'id':1}}]}}");
        neighbourIsAnswered();
    }

    @Test
    void aVariableOfInsertedObjectsCountsAsOftenAsItIsUsed() {
        BLOG.ask("mutation ($o: BlogInsertInput!) { insertIntoBlogCollection(objects: [" + "$o,".repeat(4_000)
                        + "]) { affectedCount } }")
                .variables("{'o':{'name':'" + "x".repeat(20_000) + "'}}")
                .failsLike("The values of the operation have more than");
    }

    @Test
    void aFragmentCountsAsOftenAsItIsSpread() {
        BLOG.ask("{ blogByPk(id: 1) {" + " owner { ...f }".repeat(1_900) + " } }"
                        + " fragment f on Account { blogCollection(filter: {id: {in: " + numbers(1_000)
                        + "}}) { edges { cursor } } }")
                .failsLike("The operation has more than 4000 fields");
        BLOG.ask("{ blogByPk(id: 1) {" + repeat(400, i -> " a" + i + ": owner { ...f }") + " } }"
                        + " fragment f on Account { blogCollection(filter: {id: {in: " + numbers(3_000)
                        + "}}) { edges { cursor } } }")
                .failsLike("The values of the operation have more than");
        neighbourIsAnswered();
    }

    /** Each fragment spreads the one before it twice; also where no type condition fits. */
    @Test
    void sizesAreKnownWithoutExpansion() {
        StringBuilder document = new StringBuilder("{ accountByPk(id: 1) { ...f40 } } fragment f0 on Blog { id }");
        for (int i = 1; i <= 40; i++) {
            String before = " ...f" + (i - 1);
            document.append(" fragment f")
                    .append(i)
                    .append(" on Blog {")
                    .append(before)
                    .append(before)
                    .append(" }");
        }
        BLOG.ask(document.toString()).refused("The operation has more than 4000 fields");
    }

    @Test
    void aCursorCountsForEachColumnOfTheOrder() {
        String cursor = Base64.getEncoder()
                .encodeToString(("[\"" + "x".repeat(400_000) + "\"" + ",1".repeat(9) + "]")
                        .getBytes(StandardCharsets.US_ASCII));
        BLOG.ask("query ($after: Cursor) { accountCollection(after: $after, orderBy: [{email: AscNullsFirst}, {visits:"
                        + " DescNullsLast}, {balance: AscNullsFirst}, {active: DescNullsLast}, {score: AscNullsFirst},"
                        + " {born: DescNullsLast}, {token: AscNullsFirst}, {createdAt: DescNullsLast}, {email:"
                        + " DescNullsFirst}]) { edges { cursor } } }")
                .variables("{'after':'" + cursor + "'}")
                .failsLike("The cursors of the operation have more than 4000000 characters");
    }

    @Test
    void aDirectiveIsGivenOnce() {
        BLOG.ask("{ accountByPk(id: 1) { id @include(if: true) @include(if: true) } }")
                .fails("The directive @include is given more than once");
        BLOG.ask("{ accountByPk(id: 1) { id @include(if: true) @skip(if: false) } }")
                .answers("{'accountByPk':{'id':1}}");
    }

    @Test
    void namesAndNumbersAreBounded() {
        BLOG.ask("{ " + "a".repeat(201) + ": __typename }").refused("An alias has more than 200 characters");
        BLOG.ask("{ accountByPk(id: " + "9".repeat(1_001) + ") { id } }")
                .failsLike("a number has more than 1000 digits");
        BLOG.ask("{ accountCollection(filter: {email: {eq: \"" + "9".repeat(1_001) + "\"}}) { edges { cursor } } } # "
                        + "9".repeat(1_001))
                .answers("{'accountCollection':{'edges':[]}}");
    }

    /** The arguments of a field are made once, and a fragment that is spread again is not visited again. */
    @Test
    void spreadsOfOneFragmentShareItsValues() {
        long once = collected(1);
        long often = collected(1_500);
        assertThat(often).isLessThan(8 * once);
    }

    /** Bytes that are allocated to collect an object of so many spreads. */
    private static long collected(int spreads) {
        String text = "{" + " ...f".repeat(spreads) + " } fragment f on Query { node(nodeId: " + numbers(3_000) + ") }";
        var parsed = new Documents(50_000_000).parse("p", text);
        Operation operation = Operation.select(parsed, Optional.empty(), Map.of(), unlimited());
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        operation.collector().collect(List.of(operation.root()), Set.of("Query"));
        long before = threads.getThreadAllocatedBytes(id);
        operation.collector().collect(List.of(operation.root()), Set.of("Query"));
        return threads.getThreadAllocatedBytes(id) - before;
    }

    private static GraphqlLimits unlimited() {
        return new GraphqlLimits(15, 4_000, 1_000_000_000, 50, 500, 1_000_000, 500, 5_000, 20, 100_000_000);
    }

    private static String repeat(int times, IntFunction<String> text) {
        var all = new StringBuilder();
        for (int i = 0; i < times; i++) {
            all.append(text.apply(i));
        }
        return all.toString();
    }
}
