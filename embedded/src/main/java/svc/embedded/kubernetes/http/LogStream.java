package svc.embedded.kubernetes.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;

/** A log that is followed: its lines as they come. A reader that does not read loses lines, and never holds a pod up. */
final class LogStream implements PodLog.Reader {
    private final Context context;
    private final HttpServerResponse out;
    private PodLog.Following following = () -> {};

    LogStream(Context context, HttpServerResponse out) {
        this.context = context;
        this.out = out;
    }

    /** Begins; on the context. */
    void start(PodLog log, LogQuery query) {
        out.closeHandler(closed -> following.close());
        out.exceptionHandler(broken -> following.close());
        following = log.follow(query, this);
    }

    @Override
    public void line(String text) {
        context.runOnContext(now -> {
            if (!out.closed() && !out.ended() && !out.writeQueueFull()) {
                out.write(Buffer.buffer(text + "\n"));
            }
        });
    }

    @Override
    public void end() {
        context.runOnContext(now -> {
            if (!out.closed() && !out.ended()) {
                out.end();
            }
        });
    }
}
