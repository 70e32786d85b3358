package svc.realtime.channel;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import svc.platform.dataplane.Caller;
import svc.realtime.policy.ChannelPolicies.Readable;

/** What a channel may do by its last token, and until when. Lives on the event loop of its channel. */
final class ChannelAccess {
    private final Channel channel;
    private final Optional<String> first;
    private String token;
    private Caller caller;
    private long expiry;
    private Readable readable;
    private WriteAccess writable;

    /** Whether policies have changed, and could not be asked. */
    private boolean stale;

    ChannelAccess(Channel channel, JoinConfig config) {
        this.channel = channel;
        this.first = config.token();
        this.token = first.orElse("");
    }

    Caller caller() {
        return caller;
    }

    Readable readable() {
        return readable;
    }

    WriteAccess writable() {
        return writable;
    }

    /** Judges the token of the join, which is refused without a right to read. */
    void begin(Runnable admitted) {
        channel.then(
                judged(first),
                by -> channel.then(readable(by), may -> {
                    become(by, may);
                    admitted.run();
                }));
    }

    /** Whether a token changes nothing: it is the one that was judged, or a key. */
    boolean isKnown(String fresh) {
        return fresh.equals(token) || ChannelTokens.isOpaque(fresh);
    }

    /** Judges a fresh token; without a right to read the channel ends. */
    void refresh(String fresh, Consumer<Caller> admitted) {
        token = fresh;
        channel.then(
                judged(Optional.of(fresh)),
                by -> channel.then(
                        readable(by),
                        may -> {
                            become(by, may);
                            admitted.accept(by);
                        },
                        lost -> channel.fail(lost())),
                refused -> channel.fail(refused.getMessage()));
    }

    /** Ends the channel if its token is not valid any more; a key is the connection's. */
    void verify() {
        if (!token.isBlank() && !ChannelTokens.isOpaque(token)) {
            channel.then(
                    channel.services()
                            .tokens()
                            .admits(channel.session().project().tenant(), List.of(token)),
                    admitted -> {
                        if (!admitted) {
                            channel.fail("JwtSignatureError: Failed to validate JWT signature");
                        }
                    },
                    unknown -> channel.fail("JwtSignatureError: The token cannot be validated now"));
        }
    }

    /** Asks the policies again what the caller may do. Complete when it is known, or when it cannot be known now. */
    Future<Void> recheck() {
        stale = false;
        Caller asked = caller;
        Future<Readable> answer = channel.services()
                .policies()
                .judge(
                        channel.session().project().tenant(),
                        asked,
                        channel.room().topic());
        channel.then(
                answer,
                may -> {
                    if (!asked.equals(caller)) {
                        return;
                    }
                    if (may.any()) {
                        become(asked, may);
                    } else {
                        channel.fail(lost());
                    }
                },
                failure -> stale = true);
        return answer.<Void>mapEmpty().otherwiseEmpty();
    }

    private String lost() {
        return "You no longer have permission to read from this Channel topic: "
                + channel.room().topic();
    }

    /** Called every few seconds. */
    void check() {
        if (stale) {
            channel.policiesChanged();
        }
        checkExpiry();
    }

    private void checkExpiry() {
        ChannelTokens tokens = channel.services().tokens();
        if (expiry <= tokens.now()) {
            channel.fail(tokens.expired(expiry));
        }
    }

    private Future<Caller> judged(Optional<String> shown) {
        Session session = channel.session();
        return channel.services().tokens().caller(session.project().tenant(), shown, session.caller());
    }

    private Future<Readable> readable(Caller by) {
        return channel.room().isPrivate()
                ? channel.services()
                        .policies()
                        .readable(
                                channel.session().project().tenant(),
                                by,
                                channel.room().topic())
                : Future.succeededFuture(Readable.ALL);
    }

    private void become(Caller admitted, Readable may) {
        caller = admitted;
        readable = may;
        expiry = ChannelTokens.expiry(admitted);
        writable =
                new WriteAccess(channel.services().policies(), channel.session().project(), admitted, channel.room());
    }
}
