package svc.realtime.channel;

import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.Map;
import svc.platform.dataplane.Caller;
import svc.realtime.message.JoinRefused;
import svc.realtime.message.RoomKey;
import svc.realtime.policy.ChannelPolicies;
import svc.realtime.policy.ChannelPolicies.Extension;

/** Whether a channel may send with its present token: asked at the first message, and known from then on. */
final class WriteAccess {
    /** Messages that wait for the first answer. */
    private static final int MAX_WAITING = 100;

    private final ChannelPolicies policies;
    private final ProjectChannels project;
    private final Caller caller;
    private final RoomKey room;
    private final Map<Extension, Future<Boolean>> answers = new EnumMap<>(Extension.class);
    private int waiting;

    WriteAccess(ChannelPolicies policies, ProjectChannels project, Caller caller, RoomKey room) {
        this.policies = policies;
        this.project = project;
        this.caller = caller;
        this.room = room;
    }

    /** Completes in the order of the calls. */
    Future<Boolean> to(Extension extension) {
        if (!room.isPrivate()) {
            return Future.succeededFuture(true);
        }
        Future<Boolean> answer = answers.get(extension);
        if (answer == null || answer.failed()) {
            waiting = 0;
            answer = policies.writable(project.tenant(), caller, room.topic(), extension);
            answers.put(extension, answer);
        }
        if (!answer.isComplete() && ++waiting > MAX_WAITING) {
            return Future.failedFuture(new JoinRefused("Too many messages wait for the database"));
        }
        return answer;
    }
}
