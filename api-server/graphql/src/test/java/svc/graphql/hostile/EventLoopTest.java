package svc.graphql.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.catalog.TestingService;
import svc.graphql.GraphqlFixture;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.memory.ByteBudget;

/** Which operations run on an event loop: the size of the document decides, not that of the request. */
class EventLoopTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();
    private static final AtomicInteger ON_LOOP = new AtomicInteger();
    private static final ByteBudget MEMORY = new ByteBudget(20_000_000);
    private static final TestingService SERVICE = GraphqlFixture.service(MEMORY, EventLoopTest::counting);

    private static DataPlaneService counting(DataPlaneService handler) {
        return new DataPlaneService() {
            @Override
            public String name() {
                return handler.name();
            }

            @Override
            public void handle(DataPlaneRequest request) {
                handler.handle(request);
            }

            @Override
            public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
                Optional<CompletionStage<Void>> begun = handler.begin(request);
                begun.ifPresent(unused -> ON_LOOP.incrementAndGet());
                return begun;
            }
        };
    }

    @AfterAll
    static void close() {
        SERVICE.close();
    }

    private static String send(String body) {
        SERVICE.serve(BLOG.tenant());
        return SERVICE.request(BLOG.tenant(), "POST", "/", Map.of("Content-Type", "application/json"), body)
                .body();
    }

    /** How many of the requests with this body began on an event loop: of two, since the first may read the schema. */
    private static int begunOnLoop(String body) {
        send(body);
        int before = ON_LOOP.get();
        send(body);
        return ON_LOOP.get() - before;
    }

    private static String query(String document) {
        return "{\"query\":\"" + document.replace("\"", "\\\"") + "\"}";
    }

    @Test
    void aSmallOperationRunsOnTheEventLoop() {
        assertThat(begunOnLoop(query("{ accountByPk(id: 1) { id } }"))).isEqualTo(1);
        assertThat(begunOnLoop(query("{ nope }"))).isEqualTo(1);
        assertThat(begunOnLoop(query("{ nope "))).isEqualTo(1);
    }

    /** How many of the calls of a document by its hash began on an event loop, once it is kept: of one. */
    private static int calledOnLoop(String document) throws Exception {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8)));
        String extensions = "\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"" + hash + "\"}}";
        send("{\"query\":\"" + document + "\"," + extensions + "}");
        return begunOnLoop("{" + extensions + "}");
    }

    @Test
    void theDocumentDecidesWhenItIsCalledByItsHash() throws Exception {
        String small = "{ accountByPk(id: 1) { id } } #";
        assertThat(calledOnLoop(small + "x".repeat(10_000))).isEqualTo(1);
        assertThat(calledOnLoop(small + "x".repeat(20_000))).isZero();
        assertThat(calledOnLoop("{ accountByPk(id: 1) {" + " ...f".repeat(1_900) + " } } fragment f on Account { id }"))
                .isZero();
    }

    @Test
    void aShortDocumentWithManyFieldsDoesNot() {
        String fragments = " fragment a on Account { ...b ...b ...b ...b ...b ...b ...b ...b ...b ...b ...b ...b }"
                + " fragment b on Account { ...c ...c ...c ...c ...c ...c ...c ...c ...c ...c ...c ...c }"
                + " fragment c on Account { id email id email id email id email }";
        assertThat(begunOnLoop(query("{ accountByPk(id: 1) { ...a } }" + fragments)))
                .isZero();
    }

    @Test
    void memoryIsHeldForTheOperationAndGivenBack() {
        String ids = "1234567,".repeat(600_000);
        String body = "{\"query\":\"query ($ids: [Int!]) { accountCollection(filter: {id: {in: $ids}}) { edges { node"
                + " { id } } } }\",\"variables\":{\"ids\":[" + ids + "1]}}";
        assertThat(send(body)).contains("The operation takes more memory than one request may have");
        assertThat(send(query("{ accountByPk(id: 1) { id } }"))).isEqualTo("{\"data\":{\"accountByPk\":{\"id\":1}}}");
        assertThat(MEMORY.held()).isZero();
    }

    /** Aliases repeat descriptions, whose length a tenant chooses. */
    @Test
    void anAnswerToIntrospectionIsHeldWhileItIsWritten() {
        var described = GraphqlFixture.serve("CREATE TABLE thing (id int PRIMARY KEY)");
        described.asOwner("COMMENT ON TABLE thing IS '@graphql({\"description\": \"" + "x".repeat(60_000) + "\"})'");
        SERVICE.serve(described.tenant());
        var aliases = new StringBuilder();
        for (int i = 0; i < 490; i++) {
            aliases.append(" a").append(i).append(": description");
        }
        String answer = SERVICE.request(
                        described.tenant(),
                        "POST",
                        "/",
                        Map.of("Content-Type", "application/json"),
                        query("{ __type(name: \"Thing\") {" + aliases + " } }"))
                .body();
        assertThat(answer).contains("The operation takes more memory than one request may have");
        assertThat(MEMORY.held()).isZero();
    }
}
