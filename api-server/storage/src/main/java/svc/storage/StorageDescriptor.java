package svc.storage;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.ServiceDescriptor;
import svc.platform.dataplane.TokenFault;

/** {@code /storage/v1} as the gateway sees it: links that browsers open, and storage-api's answers to bad credentials. */
@Singleton
public final class StorageDescriptor implements ServiceDescriptor {
    private static final List<String> READS =
            List.of("/object/info/public/", "/render/image/public/", "/render/image/sign/");
    private static final String SIGNED_UPLOAD = "/object/upload/sign/";

    private static final String RESUMABLE = "/upload/resumable";

    /** A token in the header x-signature is its credential. */
    private static final String SIGNED_RESUMABLE = "/upload/resumable/sign";

    /** Without a key the caller is anonymous here, and sees what policies let anyone see, and public buckets. */
    private static final String OBJECTS = "/object/";

    private static final List<String> OTHER_OBJECTS = List.of("/object/authenticated/", "/object/info/");

    @Override
    public String service() {
        return "storage";
    }

    @Override
    public int position() {
        return 3;
    }

    /** POST /object/sign/… creates a signature and needs a key; only using one is unauthenticated. */
    @Override
    public boolean isUnauthenticated(HttpMethod method, String path) {
        boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        boolean object = path.startsWith(OBJECTS) && OTHER_OBJECTS.stream().noneMatch(path::startsWith);
        boolean resumable = path.equals(RESUMABLE) || path.startsWith(RESUMABLE + "/");
        boolean signed = path.equals(SIGNED_RESUMABLE) || path.startsWith(SIGNED_RESUMABLE + "/");
        if (resumable && method.equals(HttpMethod.OPTIONS) || signed) {
            return true;
        }
        return reads && (object || READS.stream().anyMatch(path::startsWith))
                || method.equals(HttpMethod.PUT) && path.startsWith(SIGNED_UPLOAD);
    }

    /** The storage client's own tests call without a key and expect storage's words, not a gateway's. */
    @Override
    public ErrorResponse answer(CredentialRefusal refusal) {
        return switch (refusal) {
            case CredentialRefusal.NoKey unused -> unauthorized("Invalid Compact JWS");
            case CredentialRefusal.InvalidKey unused -> refusal.standardAnswer();
            case CredentialRefusal.InvalidToken(TokenFault fault) ->
                unauthorized(fault.equals(TokenFault.EXPIRED) ? "jwt expired" : "invalid JWT: " + fault.message());
        };
    }

    /** Storage sends 400, with the status that it means in the body. */
    private static ErrorResponse unauthorized(String message) {
        return new ErrorResponse(
                400,
                new JsonObject()
                        .put("statusCode", "403")
                        .put("error", "Unauthorized")
                        .put("message", message),
                Map.of());
    }
}
