package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.platform.budget.Budget;
import svc.postgres.replication.UnfinishedMessage;
import svc.realtime.reader.ProjectTables.Target;

/** What is kept of a transaction that runs is exact or given up, and bounded. */
class UnfinishedTransactionTest {
    private static final int TRANSACTION = 700;
    private static final UUID PROJECT = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final Budget memory = LogRecipients.unfinishedChanges();
    private final UnfinishedTransaction transaction = new UnfinishedTransaction(
            (schema, table) -> switch (schema) {
                case "project" -> Optional.of(new Target(PROJECT, false));
                case "other" -> Optional.of(new Target(OTHER, false));
                default -> Optional.empty();
            },
            memory);

    private void describe(int oid, String schema) {
        Buffer message = Buffer.buffer().appendByte((byte) 'R').appendInt(oid);
        message.appendString(schema).appendByte((byte) 0).appendString("t").appendByte((byte) 0);
        message.appendByte((byte) 'd').appendShort((short) 0);
        transaction.add(new UnfinishedMessage(TRANSACTION, ByteBuffer.wrap(message.getBytes())));
    }

    private void insert(int part, int oid, int id, int size) {
        Buffer message = Buffer.buffer().appendByte((byte) 'I').appendInt(oid).appendByte((byte) 'N');
        message.appendShort((short) 2).appendByte((byte) 't').appendInt(4).appendInt(id);
        message.appendByte((byte) 't').appendInt(size).appendBytes(new byte[size]);
        transaction.add(new UnfinishedMessage(part, ByteBuffer.wrap(message.getBytes())));
    }

    /** The numbers of the changes that are kept. */
    private List<Integer> kept() {
        return transaction.kept().stream()
                .filter(kept -> !kept.isDescription())
                .map(kept -> kept.message().getInt(13))
                .toList();
    }

    @Test
    void changesOfProjectsAreKeptAndThoseOfOtherTablesAreNot() {
        describe(1, "project");
        describe(2, "elsewhere");
        insert(TRANSACTION, 1, 1, 10);
        insert(TRANSACTION, 2, 2, 1_000_000);
        insert(TRANSACTION, 3, 3, 10);
        insert(TRANSACTION, 1, 4, 10);
        assertThat(kept()).containsExactly(1, 4);
        assertThat(memory.held()).isLessThan(1_000);
        transaction.close();
        assertThat(memory.held()).isZero();
    }

    @Test
    void whatFailsBehindASavepointIsGoneWithItsBytes() {
        describe(1, "project");
        insert(TRANSACTION, 1, 1, 10);
        long held = memory.held();
        insert(701, 1, 2, 1_000);
        describe(2, "project");
        insert(702, 2, 3, 1_000);
        insert(701, 1, 4, 1_000);
        transaction.abort(702);
        transaction.abort(701);
        transaction.abort(705);
        assertThat(kept()).containsExactly(1);
        assertThat(memory.held()).isEqualTo(held);
        insert(703, 1, 5, 10);
        assertThat(kept()).containsExactly(1, 5);
        assertThat(transaction.isIncomplete()).isFalse();
    }

    @Test
    void beyondTheLimitOneChangeOfEachProjectIsKept() {
        describe(1, "project");
        describe(2, "other");
        for (int id = 1; id <= 50_010; id++) {
            insert(TRANSACTION, 1, id, 10);
        }
        insert(TRANSACTION, 2, 60_001, 10);
        insert(TRANSACTION, 2, 60_002, 10);
        assertThat(kept()).hasSize(50_002).endsWith(50_000, 50_001, 60_001);
        assertThat(transaction.isIncomplete()).isFalse();
        transaction.abort(701);
        assertThat(transaction.isIncomplete())
                .as("a part has failed, perhaps of what was left out")
                .isTrue();
        assertThat(memory.held()).isZero();
    }

    @Test
    void partsThatFailDoNotCountForTheLimit() {
        describe(1, "project");
        for (int round = 0; round < 3; round++) {
            for (int id = 1; id <= 30_000; id++) {
                insert(701 + round, 1, id, 10);
            }
            transaction.abort(701 + round);
        }
        for (int id = 1; id <= 50_000; id++) {
            insert(TRANSACTION, 1, id, 10);
        }
        assertThat(kept()).hasSize(50_000);
        assertThat(transaction.isIncomplete()).isFalse();
    }

    @Test
    void valuesThatAreNotDeliveredAreNotKept() {
        describe(1, "project");
        for (int id = 1; id <= 30; id++) {
            insert(TRANSACTION, 1, id, 2_000_000);
        }
        assertThat(kept()).hasSize(30);
        assertThat(memory.held()).isLessThan(10_000);
        assertThat(transaction.kept().getLast().length()).isGreaterThan(2_000_000);
    }

    @Test
    void aProjectHasABoundedPartOfTheMemory() {
        describe(1, "project");
        int id = 0;
        while (!transaction.isIncomplete()) {
            insert(TRANSACTION, 1, ++id, 900_000);
            assertThat(memory.held()).isLessThanOrEqualTo(memory.total() / 2);
        }
        assertThat(id).isBetween(30, 40);
        assertThat(memory.held()).isZero();
        insert(TRANSACTION, 1, ++id, 10);
        assertThat(kept()).isEmpty();
    }
}
