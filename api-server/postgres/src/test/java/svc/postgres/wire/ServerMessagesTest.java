package svc.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerMessagesTest {
    private final List<String> heard = new ArrayList<>();
    private final ServerMessages messages =
            new ServerMessages(1000, (type, content) -> heard.add(type + content.toString(StandardCharsets.UTF_8)));

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
            messages.take(sent.readSlice(Math.min(sent.readableBytes(), 1 + random.nextInt(mostPiece))));
        }
        assertThat(heard).isEqualTo(expected);
    }

    @Test
    void anAnswerHasAnEnd() throws SQLException {
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'D', "x".repeat(600));
        messages.take(sent);
        ByteBuf more = Unpooled.buffer().writeByte('D').writeInt(500);
        assertThatThrownBy(() -> messages.take(more))
                .as("refused by what it announces")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
    }

    @Test
    void anotherAnswerHasItsOwnLimit() throws SQLException {
        for (int i = 0; i < 3; i++) {
            messages.restart();
            ByteBuf sent = Unpooled.buffer();
            message(sent, 'D', "x".repeat(600));
            messages.take(sent);
        }
        assertThat(heard).hasSize(3);
    }

    @Test
    void noticesCountForNothing() throws SQLException {
        for (int i = 0; i < 10; i++) {
            ByteBuf sent = Unpooled.buffer();
            message(sent, 'N', "x".repeat(900));
            messages.take(sent.readSlice(100));
            messages.take(sent);
        }
        ByteBuf sent = Unpooled.buffer();
        message(sent, 'Z', "I");
        messages.take(sent);
        assertThat(heard).contains("ZI").noneMatch(text -> text.startsWith("Nx"));
    }

    @Test
    void aNegativeLengthIsNoMessage() {
        assertThatThrownBy(() -> messages.take(Unpooled.buffer().writeByte('D').writeInt(-1)))
                .isInstanceOf(SQLException.class);
    }
}
