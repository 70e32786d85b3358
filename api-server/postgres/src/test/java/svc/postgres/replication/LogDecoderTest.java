package svc.postgres.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import svc.postgres.replication.LogMessage.Value;

/** Every message of the plugin is read; bytes that are none are refused, whatever they claim. */
class LogDecoderTest {
    private static final Value NULL = new Value.Null();
    private static final Value UNCHANGED = new Value.Unchanged();

    @FunctionalInterface
    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writer writer) {
        var bytes = new ByteArrayOutputStream();
        try {
            writer.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private static void name(DataOutputStream out, String name) throws IOException {
        out.write(name.getBytes(StandardCharsets.UTF_8));
        out.write(0);
    }

    /** A null is SQL's, an empty text with the length -1 stands for an unchanged value. */
    private static void tuple(DataOutputStream out, String... values) throws IOException {
        out.writeShort(values.length);
        for (String value : values) {
            if (value == null) {
                out.write('n');
            } else if (value.equals("<unchanged>")) {
                out.write('u');
            } else {
                byte[] text = value.getBytes(StandardCharsets.UTF_8);
                out.write('t');
                out.writeInt(text.length);
                out.write(text);
            }
        }
    }

    static List<byte[]> messages() {
        return List.of(
                bytes(out -> {
                    out.write('B');
                    out.writeLong(0x1_0000_0010L);
                    out.writeLong(7);
                    out.writeInt(99);
                }),
                bytes(out -> {
                    out.write('C');
                    out.write(0);
                    out.writeLong(16);
                    out.writeLong(32);
                    out.writeLong(7);
                }),
                bytes(out -> {
                    out.write('O');
                    out.writeLong(5);
                    name(out, "elsewhere");
                }),
                bytes(out -> {
                    out.write('R');
                    out.writeInt(16400);
                    name(out, "public");
                    name(out, "näme");
                    out.write('f');
                    out.writeShort(1);
                    out.write(1);
                    name(out, "id");
                    out.writeInt(20);
                    out.writeInt(-1);
                }),
                bytes(out -> {
                    out.write('Y');
                    out.writeInt(17000);
                    name(out, "public");
                    name(out, "mood");
                }),
                bytes(out -> {
                    out.write('I');
                    out.writeInt(16400);
                    out.write('N');
                    tuple(out, "1", null, "ü");
                }),
                bytes(out -> {
                    out.write('U');
                    out.writeInt(16400);
                    out.write('K');
                    tuple(out, "1", null, null);
                    out.write('N');
                    tuple(out, "2", "<unchanged>", "");
                }),
                bytes(out -> {
                    out.write('D');
                    out.writeInt(16400);
                    out.write('O');
                    tuple(out, "2", "x", "y");
                }),
                bytes(out -> {
                    out.write('T');
                    out.writeInt(2);
                    out.write(3);
                    out.writeInt(1);
                    out.writeInt(2);
                }),
                bytes(out -> {
                    out.write('M');
                    out.write(1);
                    out.writeLong(77);
                    name(out, "prefix");
                    out.writeInt(3);
                    out.write(new byte[3]);
                }),
                bytes(out -> {
                    out.write('S');
                    out.writeInt(99);
                    out.write(1);
                }),
                bytes(out -> out.write('E')),
                bytes(out -> {
                    out.write('c');
                    out.writeInt(99);
                    out.write(0);
                    out.writeLong(16);
                    out.writeLong(32);
                    out.writeLong(7);
                }),
                bytes(out -> {
                    out.write('A');
                    out.writeInt(99);
                    out.writeInt(100);
                }));
    }

    private static LogMessage decoded(int i) {
        return LogDecoder.decode(ByteBuffer.wrap(messages().get(i)));
    }

    @Test
    void everyKindOfMessageIsRead() {
        assertThat(decoded(0)).isEqualTo(new LogMessage.Begin(0x1_0000_0010L, 7, 99));
        assertThat(decoded(1)).isEqualTo(new LogMessage.Commit(16, 32, 7));
        assertThat(decoded(2)).isEqualTo(new LogMessage.Origin(5, "elsewhere"));
        assertThat(decoded(3))
                .isEqualTo(new LogMessage.Relation(
                        16400,
                        "public",
                        "näme",
                        LogMessage.ReplicaIdentity.FULL,
                        List.of(new LogMessage.Column(true, "id", 20, -1))));
        assertThat(decoded(4)).isEqualTo(new LogMessage.Type(17000, "public", "mood"));
        assertThat(decoded(5))
                .isEqualTo(new LogMessage.Insert(
                        16400, new LogMessage.Tuple(List.of(new Value.Text("1"), NULL, new Value.Text("ü")))));
        var update = (LogMessage.Update) decoded(6);
        assertThat(update.old().orElseThrow().full()).isFalse();
        assertThat(update.row().values()).containsExactly(new Value.Text("2"), UNCHANGED, new Value.Text(""));
        assertThat(((LogMessage.Delete) decoded(7)).old().full()).isTrue();
        assertThat(decoded(8)).isEqualTo(new LogMessage.Truncate(List.of(1, 2), true, true));
        assertThat(decoded(9)).isEqualTo(new LogMessage.Emitted(true, 77, "prefix", 3));
        assertThat(decoded(10)).isEqualTo(new LogMessage.StreamStart(99, true));
        assertThat(decoded(11)).isEqualTo(new LogMessage.StreamStop());
        assertThat(decoded(12)).isEqualTo(new LogMessage.StreamCommit(99, 16, 32, 7));
        assertThat(decoded(13)).isEqualTo(new LogMessage.StreamAbort(99, 100));
    }

    @Test
    void aMessageOfABlockIsTheMessageAndANumber() {
        byte[] insert = messages().get(5);
        ByteBuffer inBlock = ByteBuffer.allocate(insert.length + 7)
                .position(3)
                .put(insert[0])
                .putInt(4711)
                .put(insert, 1, insert.length - 1)
                .flip()
                .position(3);
        UnfinishedMessage read = UnfinishedMessage.of(inBlock);
        assertThat(read.transaction()).isEqualTo(4711);
        assertThat(LogDecoder.decode(read.message())).isEqualTo(decoded(5));
        assertThatThrownBy(() -> UnfinishedMessage.of(ByteBuffer.wrap(insert, 0, 4)))
                .isInstanceOf(MalformedLogException.class);
    }

    @Test
    void aMessageThatIsCutAnywhereIsRefused() {
        for (byte[] message : messages()) {
            for (int length = 0; length < message.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(message, 0, length);
                assertThatThrownBy(() -> LogDecoder.decode(cut)).isInstanceOf(MalformedLogException.class);
            }
            ByteBuffer longer =
                    ByteBuffer.allocate(message.length + 1).put(message).rewind();
            assertThatThrownBy(() -> LogDecoder.decode(longer)).isInstanceOf(MalformedLogException.class);
        }
    }

    @Test
    void hostileBytesAreRefusedOrReadAndNothingElse() {
        var random = new Random(42);
        List<byte[]> messages = messages();
        int refused = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = messages.get(random.nextInt(messages.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                LogDecoder.decode(ByteBuffer.wrap(bytes));
            } catch (MalformedLogException e) {
                refused++;
            }
            try {
                OversizedChange.shorten(ByteBuffer.wrap(bytes));
            } catch (MalformedLogException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void countsThatNoMessageCanHoldTakeNoMemory() {
        List<byte[]> hostile = new ArrayList<>();
        hostile.add(bytes(out -> {
            out.write('T');
            out.writeInt(Integer.MAX_VALUE);
            out.write(0);
        }));
        hostile.add(bytes(out -> {
            out.write('I');
            out.writeInt(1);
            out.write('N');
            out.writeShort(1);
            out.write('t');
            out.writeInt(Integer.MAX_VALUE);
        }));
        hostile.add(bytes(out -> {
            out.write('I');
            out.writeInt(1);
            out.write('N');
            out.writeShort(Short.MAX_VALUE);
        }));
        hostile.add(bytes(out -> {
            out.write('I');
            out.writeInt(1);
            out.write('N');
            tuple(out, "x");
            out.write(0);
        }));
        for (byte[] bytes : hostile) {
            assertThatThrownBy(() -> LogDecoder.decode(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(MalformedLogException.class);
        }
    }

    @Test
    void aLargeChangeKeepsItsShortValues() {
        byte[] large = bytes(out -> {
            out.write('U');
            out.writeInt(5);
            out.write('K');
            tuple(out, "1", null);
            out.write('N');
            tuple(out, "1", "x".repeat(2_000_000));
        });
        ByteBuffer shortened = OversizedChange.shorten(ByteBuffer.wrap(large));
        assertThat(shortened.remaining()).isLessThan(100);
        var update = (LogMessage.Update) LogDecoder.decode(shortened);
        assertThat(update.row().values()).containsExactly(new Value.Text("1"), UNCHANGED);
        assertThat(update.old()).isPresent();
    }

    @Test
    void aChangeWhoseEndIsMissingIsShortenedToo() {
        byte[] whole = bytes(out -> {
            out.write('U');
            out.writeInt(5);
            out.write('O');
            tuple(out, "1", "x".repeat(1000), "3");
            out.write('N');
            tuple(out, "1", "x".repeat(1000), "3");
        });
        for (int length = 20; length < whole.length; length++) {
            var update =
                    (LogMessage.Update) LogDecoder.decode(OversizedChange.shorten(ByteBuffer.wrap(whole, 0, length)));
            assertThat(update.row().values()).hasSize(3);
            assertThat(update.old().orElseThrow().row().values()).hasSize(3);
        }
    }
}
