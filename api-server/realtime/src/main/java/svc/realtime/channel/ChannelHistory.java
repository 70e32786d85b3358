package svc.realtime.channel;

import svc.realtime.channel.JoinConfig.ReplayRange;

/** What a channel asks of its project's database when it has joined: earlier messages, and whether later ones arrive. */
final class ChannelHistory {
    private final Channel channel;
    private final JoinConfig config;

    ChannelHistory(Channel channel, JoinConfig config) {
        this.channel = channel;
        this.config = config;
    }

    /** After the reply to the join. */
    void begin() {
        config.replay().filter(range -> channel.access().readable().broadcast()).ifPresent(this::replay);
        if (config.replicationReady()) {
            awaitReplication();
        }
    }

    private void replay(ReplayRange range) {
        channel.then(
                channel.services()
                        .policies()
                        .replay(
                                channel.session().project().tenant(),
                                channel.room().topic(),
                                range.since(),
                                range.limit()),
                earlier -> earlier.forEach(
                        message -> channel.send(message.frame(channel.session().serializer()))),
                failure -> channel.system("system", "error", "UnableToReplayMessages: " + failure.getMessage()));
    }

    /** In the words of Supabase's server, whose clients wait for them. */
    private void awaitReplication() {
        channel.then(
                channel.session().project().replication(),
                ready -> channel.system("system", "ok", "Replication connection established"),
                failure -> channel.system(
                        "system",
                        "error",
                        "Replication connection is not established, messages of the database do not arrive: "
                                + failure.getMessage()));
    }
}
