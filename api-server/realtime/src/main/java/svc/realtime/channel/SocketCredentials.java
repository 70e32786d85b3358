package svc.realtime.channel;

import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.platform.dataplane.Caller;

/**
 * What a socket was opened with. It must stay valid while the socket is open: a rotation of a key ends what the former key
 * has opened.
 *
 * @param caller that the gateway admitted
 * @param texts the key and the token as received
 */
record SocketCredentials(Caller caller, List<String> texts) {
    private static final String API_KEY = "apikey";
    private static final String BEARER = "bearer ";

    SocketCredentials {
        texts = List.copyOf(texts);
    }

    /** As the gateway finds them: the key in a header or in the query, because browsers cannot send headers. */
    static SocketCredentials of(Caller caller, HttpServerRequest handshake) {
        List<String> texts = new ArrayList<>(2);
        Optional.ofNullable(handshake.getHeader(API_KEY))
                .filter(text -> !text.isBlank())
                .or(() -> Optional.ofNullable(handshake.getParam(API_KEY)))
                .ifPresent(texts::add);
        Optional.ofNullable(handshake.getHeader("Authorization"))
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(BEARER))
                .map(header -> header.substring(BEARER.length()).strip())
                .ifPresent(texts::add);
        return new SocketCredentials(caller, texts);
    }

    /** Credentials must not be logged. */
    @Override
    public String toString() {
        return caller.toString();
    }
}
