package svc.platform.dataplane;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;

/**
 * What the gateway must know of a service before it calls it. Each service provides one as a bean; a descriptor holds no
 * connections, so that processes that do not run the service can read it, too.
 */
public interface ServiceDescriptor {
    /** The first segment of the path: {@code rest}, {@code auth}, {@code storage}, … */
    String service();

    /** Where the service stands in a list of services, starting at 1. */
    int position();

    /**
     * Whether a path works without an API key, because a browser opens it directly (a link in a mail, an image tag, a
     * redirect) and the path carries a guard of its own: a token in the link, a signature, or a public bucket. Credentials
     * that are sent nevertheless must be valid.
     *
     * @param path what follows {@code /<service>/v1}, percent-encoded as received; begins with a slash
     */
    default boolean isUnauthenticated(HttpMethod method, String path) {
        return false;
    }

    /**
     * The largest body of a route, in bytes.
     *
     * @param path as in {@link #isUnauthenticated}
     */
    default long bodyLimit(HttpMethod method, String path, BodyLimits limits) {
        return isUnauthenticated(method, path) ? limits.open() : limits.admitted();
    }

    /**
     * The answer to rejected credentials, in the words that the service's client library expects.
     *
     * @param headers of the request, which may name a version of the answer
     */
    default ErrorResponse answer(CredentialRefusal refusal, MultiMap headers) {
        return answer(refusal);
    }

    /** The same where no header decides. */
    default ErrorResponse answer(CredentialRefusal refusal) {
        return refusal.standardAnswer();
    }
}
