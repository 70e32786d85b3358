package svc.platform.dataplane;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * The services that a project's host reserves a prefix for and that are not built yet: the gateway answers 501 for them. A
 * module that implements one brings a {@link ServiceDescriptor} of its own, which takes precedence; remove the constant
 * then.
 */
public enum PlannedService implements ServiceDescriptor {
    STORAGE("storage", 3) {
        private static final List<String> READS = List.of(
                "/object/public/",
                "/object/sign/",
                "/object/info/public/",
                "/render/image/public/",
                "/render/image/sign/");
        private static final String SIGNED_UPLOAD = "/object/upload/sign/";

        /** POST /object/sign/… creates a signature and needs a key; only using one is unauthenticated. */
        @Override
        public boolean isUnauthenticated(HttpMethod method, String path) {
            boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
            return reads && READS.stream().anyMatch(path::startsWith)
                    || method.equals(HttpMethod.PUT) && path.startsWith(SIGNED_UPLOAD);
        }

        /** The storage client's own tests call without a key and expect storage's words, not a gateway's. */
        @Override
        public ErrorAnswer answer(CredentialRefusal refusal) {
            return switch (refusal) {
                case CredentialRefusal.NoKey unused -> unauthorized("Invalid Compact JWS");
                case CredentialRefusal.InvalidKey unused -> refusal.standardAnswer();
                case CredentialRefusal.InvalidToken(TokenFault fault) ->
                    unauthorized(fault.equals(TokenFault.EXPIRED) ? "jwt expired" : "invalid JWT: " + fault.message());
            };
        }

        /** Storage sends 400, with the status that it means in the body. */
        private static ErrorAnswer unauthorized(String message) {
            return new ErrorAnswer(
                    400,
                    new JsonObject()
                            .put("statusCode", "403")
                            .put("error", "Unauthorized")
                            .put("message", message),
                    Map.of());
        }
    },

    REALTIME("realtime", 4) {
        @Override
        public ErrorAnswer answer(CredentialRefusal refusal) {
            return refusal instanceof CredentialRefusal.InvalidToken(TokenFault fault)
                    ? ErrorAnswer.of(401, "InvalidJWTToken", "InvalidJWTToken: " + fault.message())
                    : refusal.standardAnswer();
        }
    };

    private final String segment;
    private final int position;

    PlannedService(String segment, int position) {
        this.segment = segment;
        this.position = position;
    }

    @Override
    public String service() {
        return segment;
    }

    @Override
    public int position() {
        return position;
    }
}
