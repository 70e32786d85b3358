package svc.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.nio.NioEventLoopGroup;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;
import svc.database.name.DatabaseRole;
import svc.platform.loop.LoopWatch;
import svc.platform.loop.SlowTask;
import svc.platform.memory.ByteBudget;
import svc.postgres.Login;
import svc.postgres.TenantLogin;
import svc.testing.TestingProjects;

/** What the handling of an answer takes on the event loop is measured, and reported with the project. */
class SlowAnswerTest {
    private static final Duration BURNED = Duration.ofMillis(600);

    @Test
    void anAnswerThatHoldsTheLoopIsReportedWithItsProject() throws Exception {
        TestingProjects projects = TestingProjects.create();
        Login login =
                TenantLogin.of(projects.project("slowansw"), DatabaseRole.API).login(projects.roots());
        var group = new NioEventLoopGroup(1);
        // The loop ends the session: the driver cannot close a socket that it does not block on.
        PgConnection connection = login.open();
        try (LoopWatch watch = new LoopWatch(true)) {
            Wire wire = WireLoops.shared(group, watch)
                    .ofProject("slowansw")
                    .take(connection, Login.RESULT_BYTES, new ByteBudget(Login.RESULT_BYTES).account("slowansw"));
            var burning = new Burning();

            wire.exchange(statement("SELECT 1"), 1, burning);
            burning.ready.get(60, TimeUnit.SECONDS);
            // The loop takes one task after the other: the answer's has ended when this one runs.
            group.submit(() -> {}).get();

            List<SlowTask> found = new ArrayList<>(watch.takeLong());
            assertThat(found)
                    .singleElement()
                    .satisfies(
                            task -> assertThat(task.what()).isEqualTo("an answer of the database of project slowansw"));
            wire.close();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static ByteBuf statement(String sql) {
        ByteBuf written = Unpooled.buffer();
        var out = new ClientMessages(written);
        out.parse("", sql);
        out.bindAndExecute("", List.of());
        out.sync();
        return written;
    }

    /** Takes long for each row. */
    private static final class Burning implements Conversation {
        private final CompletableFuture<Void> ready = new CompletableFuture<>();

        @Override
        public void message(char type, ByteBuf content) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long end = threads.getCurrentThreadCpuTime() + BURNED.toNanos();
            while (type == 'D' && threads.getCurrentThreadCpuTime() < end) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void ready(char transaction) {
            ready.complete(null);
        }

        @Override
        public void unsent(SQLException why) {
            ready.completeExceptionally(why);
        }

        @Override
        public void broken(SQLException why) {
            ready.completeExceptionally(why);
        }
    }
}
