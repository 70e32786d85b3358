package svc.server.gateway;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import svc.platform.dataplane.DataPlanePath;

/**
 * The paths that a browser opens by itself, from a link in a mail, an image tag or a redirect, and that therefore must
 * work without any key (notes of the client's behaviour, 3.8). Each is guarded by something of its own: a token in the
 * link, a signature, or a bucket that is public.
 */
final class OpenPaths {
    private static final List<String> AUTH_PAGES = List.of("/authorize", "/verify", "/callback");
    private static final List<String> AUTH_TREES = List.of("/sso/saml/", "/.well-known/");
    private static final List<String> STORAGE_READS = List.of(
            "/object/public/", "/object/sign/", "/object/info/public/", "/render/image/public/", "/render/image/sign/");
    private static final String STORAGE_SIGNED_UPLOAD = "/object/upload/sign/";

    private OpenPaths() {}

    static boolean isOpen(DataPlanePath path, HttpMethod method) {
        return switch (path.service()) {
            case "auth" -> isOpenAuth(path.rest(), method);
            case "storage" -> isOpenStorage(path.rest(), method);
            default -> false;
        };
    }

    private static boolean isOpenAuth(String rest, HttpMethod method) {
        if (AUTH_TREES.stream().anyMatch(rest::startsWith)) {
            return true;
        }
        // A form-post answer of an identity provider comes to /callback by POST; /verify by POST is a call of the
        // client.
        return AUTH_PAGES.contains(rest)
                && (isRead(method) || rest.equals("/callback") && method.equals(HttpMethod.POST));
    }

    private static boolean isOpenStorage(String rest, HttpMethod method) {
        // POST /object/sign/… makes a signature and needs a right; only using one is open.
        return isRead(method) && STORAGE_READS.stream().anyMatch(rest::startsWith)
                || method.equals(HttpMethod.PUT) && rest.startsWith(STORAGE_SIGNED_UPLOAD);
    }

    private static boolean isRead(HttpMethod method) {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }
}
