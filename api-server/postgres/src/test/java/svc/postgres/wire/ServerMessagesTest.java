package svc.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.memory.ByteBudget;

class ServerMessagesTest {
    private final List<String> heard = new ArrayList<>();
    private final AnswerLimit answer = new AnswerLimit(1000, () -> new ByteBudget(1 << 20).account("project"));
    private final ServerMessages messages =
            new ServerMessages(answer, (type, content) -> heard.add(type + content.toString(StandardCharsets.UTF_8)));

    private static void message(ByteBuf out, char type, String content) {
        out.writeByte(type);
        out.writeInt(4 + content.length());
        out.writeBytes(content.getBytes(StandardCharsets.UTF_8));
    }

    /** Whatever pieces the network makes of it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 100, 100_000})
    void messagesComeWholeAndInOrder(int mostPiece) throws SQLException {
        ByteBuf sent = Unpooled.buffer();
        List<String> expected = new ArrayList<>();
        var random = new Random(mostPiece);
        for (int i = 0; i < 50; i++) {
            String content = "x".repeat(random.nextInt(12));
            message(sent, 'D', content);
            expected.add("D" + content);
        }
        while (sent.isReadable()) {
            messages.takeAll(sent.readSlice(Math.min(sent.readableBytes(), 1 + random.nextInt(mostPiece))));
        }
        assertThat(heard).isEqualTo(expected);
    }

    @Test
    void anAnswerHasAnEnd() throws SQLException {
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'D', "x".repeat(600));
        messages.takeAll(sent);
        ByteBuf more = Unpooled.buffer().writeByte('D').writeInt(500);
        assertThatThrownBy(() -> messages.takeAll(more))
                .as("refused by what it announces")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
    }

    @Test
    void anotherAnswerHasItsOwnLimit() throws SQLException {
        for (int i = 0; i < 3; i++) {
            answer.restart();
            ByteBuf sent = Unpooled.buffer();
            message(sent, 'D', "x".repeat(600));
            messages.takeAll(sent);
        }
        assertThat(heard).hasSize(3);
    }

    @Test
    void noticesCountForNothing() throws SQLException {
        for (int i = 0; i < 10; i++) {
            ByteBuf sent = Unpooled.buffer();
            message(sent, 'N', "x".repeat(900));
            messages.takeAll(sent.readSlice(100));
            messages.takeAll(sent);
        }
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'Z', "I");
        messages.takeAll(sent);
        assertThat(heard).contains("ZI").noneMatch(text -> text.startsWith("Nx"));
    }

    @Test
    void aNegativeLengthIsNoMessage() {
        assertThatThrownBy(
                        () -> messages.takeAll(Unpooled.buffer().writeByte('D').writeInt(-1)))
                .isInstanceOf(SQLException.class);
    }

    /** A script decides how long the texts of its errors are. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 100, 100_000})
    void fieldsOfAnErrorAreCutAsTheyArrive(int pieceBytes) throws SQLException {
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'E', "SERROR\0M" + "m".repeat(5_000) + "\0Hhint\0D\0\0ignored");
        message(sent, 'Z', "I");
        var error = new ErrorFields(10);
        var reader = new ServerMessages(
                (type, length) -> type == 'E' ? error : ServerMessages.Content.WHOLE,
                (type, content) -> heard.add(type + content.toString(StandardCharsets.UTF_8)));
        while (sent.isReadable()) {
            reader.takeAll(sent.readSlice(Math.min(sent.readableBytes(), pieceBytes)));
        }
        assertThat(error.fields()).isEqualTo(Map.of('S', "ERROR", 'M', "m".repeat(10), 'H', "hint", 'D', ""));
        assertThat(heard).containsExactly("E", "ZI");
    }

    /** A blocking reader answers one message before it reads the next. */
    @Test
    void messagesCanBeReadOneByOne() throws SQLException {
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'C', "BEGIN");
        message(sent, 'Z', "T");
        assertThat(messages.next(sent)).isTrue();
        assertThat(heard).containsExactly("CBEGIN");
        assertThat(messages.next(sent)).isTrue();
        assertThat(messages.next(sent)).isFalse();
        assertThat(heard).containsExactly("CBEGIN", "ZT");
    }
}
