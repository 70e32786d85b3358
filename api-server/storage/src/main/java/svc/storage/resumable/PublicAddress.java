package svc.storage.resumable;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.platform.clientip.CallerAddress;
import svc.storage.http.StorageCall;

/**
 * Where a client finds its upload again: below the project's public address, or where a trusted proxy says that it was
 * called. What any other peer says of that is ignored.
 */
final class PublicAddress {
    private static final String PATH = "/upload/resumable";
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:.]{2,45}])(:\\d{1,5})?");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._~-]{1,128}){1,8}");

    private final CallerAddress addresses;

    /** @param addresses knows our own proxies */
    PublicAddress(CallerAddress addresses) {
        this.addresses = addresses;
    }

    /** @param rest of the path behind {@code /upload/resumable} */
    String of(StorageCall call, String rest) {
        return forwarded(call.request()).orElseGet(() -> call.tenant().storageUrl()) + PATH + rest;
    }

    private Optional<String> forwarded(HttpServerRequest request) {
        boolean trusted = Optional.ofNullable(request.remoteAddress())
                .map(SocketAddress::hostAddress)
                .filter(addresses::isTrusted)
                .isPresent();
        int at = request.path().indexOf(PATH);
        if (!trusted || at < 0) {
            return Optional.empty();
        }
        return first(request, "x-forwarded-host", HOST).map(host -> {
            String scheme = first(request, "x-forwarded-proto", Pattern.compile("https?"))
                    .orElse(request.isSSL() ? "https" : "http");
            String prefix = first(request, "x-forwarded-prefix", PREFIX).orElse("");
            return scheme + "://" + withPort(request, scheme, host) + prefix
                    + request.path().substring(0, at);
        });
    }

    private static String withPort(HttpServerRequest request, String scheme, String host) {
        String usual = scheme.equals("https") ? "443" : "80";
        boolean named = host.lastIndexOf(':') > host.lastIndexOf(']');
        return first(request, "x-forwarded-port", PORT)
                .filter(port -> !named && !port.equals(usual))
                .map(port -> host + ":" + port)
                .orElse(host);
    }

    /** What the proxy nearest to the client says. */
    private static Optional<String> first(HttpServerRequest request, String header, Pattern accepted) {
        return Optional.ofNullable(request.getHeader(header))
                .map(value -> value.split(",", 2)[0].strip())
                .filter(value -> accepted.matcher(value).matches());
    }
}
