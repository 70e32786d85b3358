package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.postgres.replication.MalformedLogException;

/** However many tables a stream describes, they take a bounded number of bytes. */
class DescribedTablesTest {
    private final DescribedTables tables = new DescribedTables((schema, table) -> Optional.empty());

    private static ByteBuffer described(int oid, int columns) {
        Buffer message = Buffer.buffer().appendByte((byte) 'R').appendInt(oid);
        message.appendString("s").appendByte((byte) 0).appendString("t").appendByte((byte) 0);
        message.appendByte((byte) 'd').appendShort((short) columns);
        for (int i = 0; i < columns; i++) {
            message.appendByte((byte) 0)
                    .appendString("c".repeat(58) + i)
                    .appendByte((byte) 0)
                    .appendInt(23)
                    .appendInt(-1);
        }
        return ByteBuffer.wrap(message.getBytes());
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int oid = 1; oid <= 1000; oid++) {
            tables.describe(described(oid, 1600), oid);
            assertThat(tables.bytes()).isLessThanOrEqualTo(2 * DescribedTables.MAX_BYTES);
        }
        assertThat(tables.isFull()).isTrue();
        assertThat(tables.table(1000).relation().columns()).hasSize(1600);
        assertThatThrownBy(() -> tables.table(1)).isInstanceOf(MalformedLogException.class);
    }

    @Test
    void aTableThatIsDescribedAgainCountsOnce() {
        for (int seen = 1; seen <= 1000; seen++) {
            tables.describe(described(7, 1600), seen);
        }
        assertThat(tables.isFull()).isFalse();
        assertThat(tables.table(7).shape().seen()).isEqualTo(1000);
    }
}
