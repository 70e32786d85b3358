package svc.realtime.policy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.realtime.message.Broadcast;
import svc.realtime.message.JoinRefused;

/**
 * Asks the project's policies, in transactions of the caller's role that are rolled back. Nothing here is called on an event
 * loop's time: each question is a virtual thread's that waits for a connection.
 */
public final class ChannelPolicies {
    private static final Logger LOG = Logger.getLogger(ChannelPolicies.class);

    private final MessagesTable table;
    private final ExecutorService threads;
    private final PolicyVersions versions;

    /** @param versions the version of a project's policies */
    public ChannelPolicies(MessagesTable table, ExecutorService threads, PolicyVersions versions) {
        this.table = table;
        this.threads = threads;
        this.versions = versions;
    }

    /** What a caller may read of a private topic. */
    public record Readable(boolean broadcast, boolean presence) {
        /** Of public channels, and of the service role. */
        public static final Readable ALL = new Readable(true, true);

        public boolean any() {
            return broadcast || presence;
        }
    }

    /** The value of the column {@code extension}. */
    public enum Extension {
        BROADCAST,
        PRESENCE
    }

    /** Fails with {@link JoinRefused} when neither is readable, or the database cannot say. */
    public Future<Readable> readable(Tenant tenant, Caller caller, String topic) {
        return ask(() -> {
            Readable readable = table.readable(tenant, caller, topic);
            if (!readable.any()) {
                throw new JoinRefused(
                        "Unauthorized: You do not have permissions to read from this Channel topic: " + topic);
            }
            return readable;
        });
    }

    /** What a caller may read of a private topic now, which may be nothing. Fails when the database cannot say. */
    public Future<Readable> judge(Tenant tenant, Caller caller, String topic) {
        return ask(() -> table.readable(tenant, caller, topic));
    }

    /** A text that changes with the policies on the project's messages, and with the privileges on them. */
    public Future<String> version(Tenant tenant) {
        return ask(() -> versions.of(tenant));
    }

    /** Whether the caller may send to a private topic; no failure but {@link JoinRefused}. */
    public Future<Boolean> writable(Tenant tenant, Caller caller, String topic, Extension extension) {
        return ask(() -> table.writable(tenant, caller, topic, extension));
    }

    /** Earlier messages of a private topic, the oldest first. */
    public Future<List<Broadcast>> replay(Tenant tenant, String topic, long since, int limit) {
        return ask(() -> table.since(tenant, topic, since, limit));
    }

    /** Prepares the project's table of messages for its first use, beside everything else. */
    public void use(Tenant tenant) {
        threads.execute(() -> {
            try {
                table.use(tenant);
            } catch (RuntimeException e) {
                LOG.warnf("Messages of the database of %s are not sent yet: %s", tenant.ref(), e.getMessage());
            }
        });
    }

    private interface Question<T> {
        T answer();
    }

    private <T> Future<T> ask(Question<T> question) {
        Promise<T> answer = Promise.promise();
        threads.execute(() -> {
            try {
                answer.complete(question.answer());
            } catch (PoolExhausted e) {
                answer.fail(new JoinRefused(
                        "DatabaseLackOfConnections: Database can't accept more connections, Realtime won't connect"));
            } catch (SqlError e) {
                answer.fail(new JoinRefused("UnableToConnectToProject: " + e.getMessage()));
            } catch (RuntimeException | Error e) {
                answer.fail(e);
            }
        });
        return answer.future();
    }
}
