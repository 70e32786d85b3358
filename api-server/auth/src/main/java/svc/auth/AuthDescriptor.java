package svc.auth;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import svc.auth.http.ApiVersion;
import svc.auth.http.AuthError;
import svc.auth.http.RejectedToken;
import svc.platform.dataplane.BodyLimits;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.ServiceDescriptor;
import svc.platform.dataplane.TokenFault;

/** {@code /auth/v1} as the gateway sees it: the pages that a browser opens directly, and GoTrue's answer to a bad token. */
@Singleton
public final class AuthDescriptor implements ServiceDescriptor {
    private static final List<String> PAGES = List.of("/authorize", "/verify", "/callback");
    private static final List<String> TREES = List.of("/sso/saml/", "/.well-known/");
    /** Twice what the service takes: it refuses the rest in its own words. */
    private static final long MAX_BODY_BYTES = 2 << 20;

    @Override
    public String service() {
        return "auth";
    }

    @Override
    public int position() {
        return 2;
    }

    /** An identity provider's form-post response reaches /callback by POST; POST /verify is a call of the client. */
    @Override
    public boolean isUnauthenticated(HttpMethod method, String path) {
        if (TREES.stream().anyMatch(path::startsWith)) {
            return true;
        }
        boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        return PAGES.contains(path) && (reads || path.equals("/callback") && method.equals(HttpMethod.POST));
    }

    @Override
    public long bodyLimit(HttpMethod method, String path, BodyLimits limits) {
        return isUnauthenticated(method, path) ? limits.open() : Math.min(limits.admitted(), MAX_BODY_BYTES);
    }

    @Override
    public ErrorResponse answer(CredentialRefusal refusal, MultiMap headers) {
        if (!(refusal instanceof CredentialRefusal.InvalidToken(TokenFault fault))) {
            return refusal.standardAnswer();
        }
        AuthError error = RejectedToken.error(fault);
        ApiVersion version = ApiVersion.of(headers.get(ApiVersion.HEADER));
        Map<String, String> answered = new HashMap<>(version.headers());
        answered.put(AuthError.CODE_HEADER, error.code());
        return new ErrorResponse(
                error.status(),
                new JsonObject(version.body(error, error.getMessage()).toString()),
                answered);
    }

    @Override
    public ErrorResponse answer(CredentialRefusal refusal) {
        return answer(refusal, MultiMap.caseInsensitiveMultiMap());
    }
}
