package svc.storage.content;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import svc.platform.budget.Lifetime;
import svc.platform.s3.SignedReads;
import svc.platform.s3.SignedReads.SignedRead;
import svc.storage.content.StoreException.Kind;

/**
 * Reads from the platform's bucket on event loops, with the same share of connections for a project as {@link S3ContentStore}.
 * A read that breaks is continued where it was.
 */
public final class S3ContentReader implements ContentReader, AutoCloseable {
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int MAX_ATTEMPTS = 3;
    private static final int PAUSE_MILLIS = 30;
    private static final int CONNECT_MILLIS = 5_000;

    /** Shorter than S3's own, so that a request seldom meets a connection that is being closed. */
    private static final int KEPT_SECONDS = 10;

    /** Pieces of 8 KiB, the default, would each be a write to the client. */
    private static final int PIECE = 64 << 10;

    private final Vertx vertx;
    private final S3ContentStore store;
    private final HttpClient client;
    private final long callMillis;

    /**
     * @param store of the same bucket
     * @param callLimit longest that one span may take
     * @param authorities trusted instead of the system's
     */
    public S3ContentReader(
            Vertx vertx,
            S3ContentStore store,
            int connections,
            Duration callLimit,
            Optional<TrustManager> authorities) {
        this.vertx = vertx;
        this.store = store;
        this.callMillis = callLimit.toMillis();
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout(CONNECT_MILLIS)
                .setKeepAliveTimeout(KEPT_SECONDS)
                .setMaxChunkSize(PIECE)
                .setDecompressionSupported(false);
        authorities.map(TrustOptions::wrap).ifPresent(options::setTrustOptions);
        this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(connections));
    }

    @Override
    public Reading read(ContentKey key, Span span, Receiver to) {
        var call = new Call(key, span, to);
        call.begin();
        return call;
    }

    @Override
    public void close() {
        client.close();
    }

    /** One span, in up to so many requests; all on one event loop. */
    private final class Call implements Reading {
        private final ContentKey key;
        private final Receiver to;
        private final long end;

        /** Its connection of the store ends with it. */
        private final Lifetime lifetime = new Lifetime();

        private long position;
        private int attempts;

        /** Whose events count; 0 between two. */
        private int attempt;

        private boolean over;
        private long timer = -1;
        private HttpClientRequest current;

        Call(ContentKey key, Span span, Receiver to) {
            this.key = key;
            this.to = to;
            this.position = span.from();
            this.end = span.from() + span.length();
        }

        void begin() {
            store.inUse().take(key.projectId().toString(), lifetime, this::granted, this::fail);
        }

        private void granted() {
            timer = vertx.setTimer(callMillis, late -> fail(failed("the store took too long", null)));
            Optional<SignedReads> signed = store.signedReads();
            if (signed.isPresent()) {
                send(signed.get());
            } else {
                vertx.executeBlocking(store::connect, false)
                        .onSuccess(this::send)
                        .onFailure(this::refused);
            }
        }

        private void refused(Throwable why) {
            fail(why instanceof StoreException named ? named : failed("the store failed: " + why.getMessage(), why));
        }

        private void send(SignedReads reads) {
            if (over) {
                return;
            }
            int number = ++attempts;
            attempt = number;
            SignedRead signed = reads.of(key.text(), position, end - 1);
            boolean secure = "https".equals(signed.address().getScheme());
            int port = signed.address().getPort();
            var options = new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setHost(signed.address().getHost())
                    .setPort(port >= 0 ? port : secure ? 443 : 80)
                    .setSsl(secure)
                    .setURI(signed.address().getRawPath());
            signed.headers().forEach((name, values) -> options.addHeader(name, values.getFirst()));
            client.request(options)
                    .compose(request -> {
                        current = request;
                        if (over) {
                            request.reset();
                        }
                        return request.send();
                    })
                    .onSuccess(response -> answered(response, number, reads))
                    .onFailure(broken -> again(broken, number, reads));
        }

        private void answered(HttpClientResponse response, int number, SignedReads reads) {
            int status = response.statusCode();
            if (status == PARTIAL || status == OK && position == 0) {
                receive(response, number, reads);
                return;
            }
            response.body()
                    .onSuccess(body -> unavailable(status, body.toString(), number, reads))
                    .onFailure(broken -> again(broken, number, reads));
        }

        private void unavailable(int status, String body, int number, SignedReads reads) {
            if (status == NOT_FOUND && body.contains("NoSuchKey")) {
                if (!over) {
                    stop();
                    to.missing();
                }
            } else if (status >= SERVER_ERROR || status == TOO_MANY) {
                again(failed("the store answered " + status, null), number, reads);
            } else {
                fail(failed("the store answered " + status + ": " + body, null));
            }
        }

        private void receive(HttpClientResponse response, int number, SignedReads reads) {
            if (!Long.toString(end - position).equals(response.getHeader("content-length"))) {
                fail(failed("the store sent less than was asked for", null));
                return;
            }
            response.handler(piece -> {
                if (!over && number == attempt) {
                    position += piece.length();
                    to.piece(piece);
                }
            });
            response.exceptionHandler(broken -> again(broken, number, reads));
            response.endHandler(complete -> {
                if (!over && number == attempt) {
                    stop();
                    to.complete();
                }
            });
        }

        /** @param number of the attempt that has failed */
        private void again(Throwable why, int number, SignedReads reads) {
            if (over || number != attempt) {
                return;
            }
            attempt = 0;
            if (attempts == MAX_ATTEMPTS) {
                refused(why);
            } else {
                vertx.setTimer((long) PAUSE_MILLIS * number, paused -> send(reads));
            }
        }

        private void fail(StoreException why) {
            if (!over) {
                cancel();
                to.failed(why);
            }
        }

        @Override
        public void cancel() {
            if (!over) {
                stop();
                if (current != null) {
                    current.reset();
                }
            }
        }

        private void stop() {
            over = true;
            lifetime.close();
            vertx.cancelTimer(timer);
        }
    }

    private static StoreException failed(String message, Throwable why) {
        return new StoreException(Kind.FAILED, message, why);
    }
}
