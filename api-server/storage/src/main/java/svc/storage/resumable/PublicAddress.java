package svc.storage.resumable;

import com.google.re2j.Pattern;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.util.Optional;
import svc.platform.clientip.CallerAddress;
import svc.storage.http.StorageCall;

/**
 * Where a client finds its upload again: where it has called, as far as that is known. A trusted proxy says it; without one
 * it is the project's public address when that was called, and otherwise the name and path that were, such as those of path
 * style. Only the caller itself reads it, so a header that it has made up harms no other.
 */
final class PublicAddress {
    private static final String PATH = "/upload/resumable";
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:.]{2,45}])(:\\d{1,5})?");
    private static final Pattern SCHEME = Pattern.compile("https?");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._~-]{1,128}){1,8}");

    private final CallerAddress addresses;

    /** @param addresses knows our own proxies */
    PublicAddress(CallerAddress addresses) {
        this.addresses = addresses;
    }

    /** @param rest of the path behind {@code /upload/resumable} */
    String of(StorageCall call, String rest) {
        return base(call) + PATH + rest;
    }

    private String base(StorageCall call) {
        HttpServerRequest request = call.request();
        String url = call.tenant().storageUrl();
        int at = request.path().indexOf(PATH);
        if (at < 0) {
            return url;
        }
        String path = request.path().substring(0, at);
        String scheme = first(request, "x-forwarded-proto", SCHEME).orElse(request.isSSL() ? "https" : "http");
        Optional<String> forwarded = isTrusted(request) ? first(request, "x-forwarded-host", HOST) : Optional.empty();
        if (forwarded.isPresent()) {
            String prefix = first(request, "x-forwarded-prefix", PREFIX).orElse("");
            return scheme + "://" + withPort(request, scheme, forwarded.get()) + prefix + path;
        }
        Optional<String> host = Optional.ofNullable(request.authority())
                .map(HostAndPort::toString)
                .filter(name -> HOST.matcher(name).matches());
        return host.isEmpty() || host.get().equalsIgnoreCase(URI.create(url).getAuthority())
                ? url
                : scheme + "://" + host.get() + path;
    }

    private boolean isTrusted(HttpServerRequest request) {
        return Optional.ofNullable(request.remoteAddress())
                .map(SocketAddress::hostAddress)
                .filter(addresses::isTrusted)
                .isPresent();
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
