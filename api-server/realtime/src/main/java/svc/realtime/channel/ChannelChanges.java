package svc.realtime.channel;

import java.util.List;
import java.util.stream.Collectors;
import svc.platform.dataplane.Caller;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.change.ChangeSubscription;
import svc.realtime.message.Frame;
import svc.realtime.message.Serializer;

/** The table changes of a channel. */
final class ChannelChanges implements ChangeReceiver {
    private static final String EXTENSION = "postgres_changes";

    /**
     * The join is answered by then, whether changes flow yet or not. Hazard: realtime-js joins again 2 s after the join that
     * follows a lost connection, ends its own channel as a duplicate of itself, and from then on understands no answer.
     */
    private static final int ANSWER_MILLIS = 1_000;

    private final Channel channel;
    private final Serializer serializer;
    private final JoinConfig config;
    private ChangeSubscription subscription;
    private Runnable answer;
    private boolean closed;

    ChannelChanges(Channel channel, JoinConfig config) {
        this.channel = channel;
        this.serializer = channel.session().serializer();
        this.config = config;
    }

    /** @param answered runs once: when changes flow, or cannot */
    void subscribe(Runnable answered) {
        if (config.bindings().isEmpty()) {
            answered.run();
            return;
        }
        answer = answered;
        var feed = channel.session().project().services().changes();
        if (feed.isEmpty()) {
            refused("This server does not serve table changes");
            return;
        }
        channel.session().connection().later(ANSWER_MILLIS, this::answerNow);
        channel.session().project().subscriptions(1);
        subscription = feed.get()
                .subscribe(
                        channel.session().project().tenant(), channel.access().caller(), config.bindings(), this);
    }

    void authorize(Caller caller) {
        if (subscription != null) {
            subscription.authorize(caller);
        }
    }

    void close() {
        closed = true;
        if (subscription != null) {
            channel.session().project().subscriptions(-1);
            subscription.close();
        }
    }

    @Override
    public void subscribed() {
        say("ok", "Subscribed to PostgreSQL");
    }

    @Override
    public void refused(String message) {
        say("error", message);
    }

    @Override
    public void failed(String message) {
        say("error", message);
    }

    @Override
    public void changed(List<Integer> ids, ChangeData data) {
        Frame frame = data.frame(
                new Receivers(serializer, channel.topic(), ids),
                () -> Frame.text(serializer.encode(
                        null,
                        null,
                        channel.topic(),
                        EXTENSION,
                        "{\"ids\":" + ids.stream().map(Object::toString).collect(Collectors.joining(",", "[", "]"))
                                + ",\"data\":" + data.json() + "}")));
        run(() -> channel.session().connection().sendPaced(frame));
    }

    /** Channels to which a change is the same frame. */
    private record Receivers(Serializer serializer, String topic, List<Integer> ids) {}

    private void say(String status, String message) {
        run(() -> {
            answerNow();
            channel.system(EXTENSION, status, message);
        });
    }

    private void run(Runnable action) {
        channel.session().connection().run(() -> {
            if (!closed) {
                action.run();
            }
        });
    }

    private void answerNow() {
        Runnable due = answer;
        answer = null;
        if (due != null && !closed) {
            due.run();
        }
    }
}
