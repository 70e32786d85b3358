package svc.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.catalog.TestingSchema;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.tenancy.DisplayedNames;
import svc.rest.error.RestError;

/** Promise: documents of large schemas cost little more memory than their bytes, and leave turns to other projects. */
class DocumentWriterTest {
    private static final int LARGE = 1_000_000;
    private static final Caller ATTACKER = new Caller("one", "attacker");
    private static final Caller NEIGHBOUR = new Caller("two", "neighbour");

    private static TestingSchema schema;

    private final DocumentWriter writer = new DocumentWriter();

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("document", "CREATE TABLE item (id int PRIMARY KEY, title text, price numeric);");
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    private static DisplayedNames names() {
        return DisplayedNames.of(schema.tenant());
    }

    /** A schema of many copies of one table. */
    private static ApiDescription description(int tables, int columns) {
        ProjectSchema known = schema.schemas().current(schema.tenant());
        Table item = known.tables().iterator().next();
        List<Table.Column> wide = IntStream.range(0, columns)
                .mapToObj(number -> column(item.columns().get(1), "column_" + number))
                .toList();
        return new ApiDescription(
                URI.create("https://shop.example.com/rest/v1"),
                "many tables",
                Optional.empty(),
                known,
                IntStream.range(0, tables)
                        .mapToObj(number -> table(item, "table_" + number, wide))
                        .toList(),
                List.of());
    }

    private static Table.Column column(Table.Column one, String name) {
        return new Table.Column(
                name,
                one.dataType(),
                one.nullable(),
                one.generation(),
                one.defaultValue(),
                one.maxLength(),
                one.description());
    }

    private static Table table(Table one, String name, List<Table.Column> columns) {
        return new Table(
                one.oid(),
                new QualifiedIdentifier(one.id().schema(), name),
                one.kind(),
                columns,
                List.of(),
                List.of(),
                one.mutability(),
                one.rowSecurity(),
                one.estimatedRows(),
                one.description());
    }

    /** What is made before the first byte is written is kept until the last one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDocumentIsMadeWhileItIsWritten(boolean newer) {
        Function<ApiDescription, ObjectNode> format = newer ? OpenApi31Document::of : SwaggerDocument::of;
        ApiDescription api = description(300, 30);
        ObjectNode first = format.apply(api);
        assertThat(first).isNotNull();
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ObjectNode document = format.apply(api);
        long kept = threads.getCurrentThreadAllocatedBytes() - before;
        byte[] written = writer.write(ATTACKER, api.columns(), document, names());
        assertThat(written.length).isGreaterThan(1_000_000);
        assertThat(kept).isLessThan(written.length * 3L / 2);
    }

    @Test
    void oneLargeDocumentAtATimeLeavesTurnsToANeighbour() throws Exception {
        var go = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        ObjectNode endless = document(() -> {
            begun.countDown();
            go.await();
            return TextNode.valueOf("x");
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> attacks = new ArrayList<>();
            attacks.add(threads.submit(() -> writer.write(ATTACKER, LARGE, endless, names())));
            begun.await();
            for (int i = 0; i < 20; i++) {
                attacks.add(threads.submit(() -> writer.write(ATTACKER, LARGE, endless, names())));
            }
            await().until(() -> attacks.stream().filter(Future::isDone).count() >= 12);
            assertThat(writer.write(NEIGHBOUR, 1, document(() -> TextNode.valueOf("y")), names()))
                    .asString()
                    .isEqualTo("{\"part\":\"y\"}");
            go.countDown();
            for (Future<byte[]> attack : attacks) {
                await().until(attack::isDone);
            }
            assertThat(attacks.stream()
                            .filter(one -> one.state() == Future.State.FAILED)
                            .map(Future::exceptionNow))
                    .hasSize(12)
                    .allSatisfy(failure -> assertThat(failure).isInstanceOfSatisfying(RestError.class, busy -> {
                        assertThat(busy.status()).isEqualTo(503);
                        assertThat(busy.code()).isEqualTo("PGRST003");
                    }));
        }
    }

    @Test
    void aDocumentOverTheLimitIsRefused() {
        String mebi = "x".repeat(1 << 20);
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i <= DocumentWriter.MAX_DOCUMENT >> 20; i++) {
            document.set("part" + i, DeferredNode.of(() -> TextNode.valueOf(mebi)));
        }
        assertThatThrownBy(() -> writer.write(ATTACKER, LARGE, document, names()))
                .isInstanceOfSatisfying(
                        RestError.class, refused -> assertThat(refused.code()).isEqualTo("PGRST126"));
        assertThat(writer.write(ATTACKER, LARGE, document(() -> TextNode.valueOf("y")), names()))
                .isNotEmpty();
    }

    @FunctionalInterface
    private interface Part {
        TextNode make() throws InterruptedException;
    }

    private static ObjectNode document(Part part) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.set("part", DeferredNode.of(() -> {
            try {
                return part.make();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        return document;
    }
}
