package svc.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.ResponseMemory;
import svc.platform.loop.LoopWatch;
import svc.platform.memory.ByteBudget;

/** Bytes that wait for a reader are counted once: by the connection, or by the service that holds them. */
@SuppressWarnings("FutureReturnValueIgnored") // What is written is released at the end.
class WaitingAnswersTest {
    private static final int PART = 64 << 10;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final ConnectionRules RULES = new ConnectionRules(10, 10, LONG, LONG, LONG);

    private final ByteBudget budget = new ByteBudget(16 << 20);
    private final ByteBudget.Account project = budget.account("project");
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoopWatch loops = new LoopWatch(true);

    WaitingAnswersTest() {
        var guard = new ConnectionGuard(
                new OpenConnections(RULES, new CallerAddress(List.of())),
                RULES,
                budget.account("strangers"),
                channel,
                loops);
        guard.belongsTo(project);
        channel.pipeline().addLast(new HttpPhases(guard));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        loops.close();
        assertThat(budget.held()).isZero();
    }

    private void write(Object message) {
        channel.write(message);
    }

    private void writePart() {
        write(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[PART])));
    }

    private void begin() {
        write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }

    private void end() {
        write(new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER));
        channel.flush();
    }

    @Test
    void theProjectIsChargedUntilTheSocketHasThem() {
        begin();
        writePart();
        writePart();
        assertThat(project.held()).isEqualTo(2 * PART);
        end();
        assertThat(budget.held()).isZero();
    }

    @Test
    void whatTheServiceHoldsIsNotCountedAgain() {
        ResponseMemory.heldByService(channel);
        begin();
        writePart();
        assertThat(budget.held()).isZero();
        end();

        begin();
        writePart();
        assertThat(project.held()).as("the next answer").isEqualTo(PART);
        end();
    }

    @Test
    void anotherAccountIsChargedForOneAnswer() {
        ResponseMemory.chargedTo(channel, project.ofStrangers());
        begin();
        writePart();
        assertThat(project.held()).isZero();
        assertThat(project.ofStrangers().held()).isEqualTo(PART);
        end();

        begin();
        writePart();
        assertThat(project.held()).isEqualTo(PART);
        end();
    }
}
