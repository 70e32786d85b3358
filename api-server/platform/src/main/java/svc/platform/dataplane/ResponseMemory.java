package svc.platform.dataplane;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;
import svc.platform.memory.ByteBudget;

/**
 * Says whose memory the bytes of an answer are while they wait for their reader. The connection charges the request's
 * project for them, unless the service says otherwise before it writes. Holds for one answer.
 */
public final class ResponseMemory {
    private static final AttributeKey<ResponseMemory> KEY = AttributeKey.valueOf("svc.response-memory");
    private static final ResponseMemory HELD_BY_SERVICE = new ResponseMemory(Optional.empty());

    private final Optional<ByteBudget.Account> account;

    private ResponseMemory(Optional<ByteBudget.Account> account) {
        this.account = account;
    }

    /** The service has a permit for what waits: counted by the connection too, it would be counted twice. */
    public static void heldByService(Channel channel) {
        channel.attr(KEY).set(HELD_BY_SERVICE);
    }

    /** The same for the connection of a request. */
    public static void heldByService(HttpServerRequest request) {
        channel(request).ifPresent(ResponseMemory::heldByService);
    }

    /** What waits is charged to this account. */
    public static void chargedTo(Channel channel, ByteBudget.Account account) {
        channel.attr(KEY).set(new ResponseMemory(Optional.of(account)));
    }

    /** The same for the connection of a request. */
    public static void chargedTo(HttpServerRequest request, ByteBudget.Account account) {
        channel(request).ifPresent(channel -> chargedTo(channel, account));
    }

    private static Optional<Channel> channel(HttpServerRequest request) {
        return request.connection() instanceof ConnectionBase connection
                ? Optional.of(connection.channel())
                : Optional.empty();
    }

    /** The permit that a connection charges for bytes of the current answer; empty when the service has one. */
    public static Optional<ByteBudget.Permit> permit(Channel channel, ByteBudget.Account project) {
        ResponseMemory said = channel.attr(KEY).get();
        return said == null ? Optional.of(project.open()) : said.account.map(ByteBudget.Account::open);
    }

    /** The answer is complete: what was said of it does not hold for the next one. */
    public static void answered(Channel channel) {
        channel.attr(KEY).set(null);
    }
}
