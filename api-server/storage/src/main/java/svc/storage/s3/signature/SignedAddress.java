package svc.storage.s3.signature;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An address that a client may have signed: the one that it saw. A proxy may have received another host and path than the
 * platform does.
 *
 * @param host with the port where the client names one
 * @param path in Signature Version 4's encoding
 */
public record SignedAddress(String host, String path) {
    /** A proxy's list: the first entry is what the client saw. */
    private static final int MAX_HEADER = 256;

    /**
     * What a proxy says of the request that it received; believed of a trusted proxy alone.
     *
     * @param prefix of the path that the proxy has removed
     */
    public record Forwarded(Optional<String> host, Optional<String> port, Optional<String> prefix) {
        public static final Forwarded NOTHING = new Forwarded(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * The addresses under which a request may have been signed: as it was received, as a trusted proxy received it, and the
     * project's public one.
     *
     * @param host as received
     * @param path as received, percent-encoded
     * @param publicUrl of the storage service
     * @param rest of the path behind the service's prefix
     */
    public static List<SignedAddress> of(String host, String path, Forwarded forwarded, String publicUrl, String rest) {
        List<SignedAddress> addresses = new ArrayList<>();
        addresses.add(at(host, path));
        first(forwarded.host()).ifPresent(seen -> {
            String before = first(forwarded.prefix())
                    .map(text -> text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
                    .orElse("");
            addresses.add(at(seen, before + path));
            first(forwarded.port())
                    .filter(port -> seen.indexOf(':') < 0)
                    .ifPresent(port -> addresses.add(at(seen + ":" + port, before + path)));
        });
        URI uri = URI.create(publicUrl);
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        addresses.add(at(uri.getHost() + port, uri.getRawPath() + rest));
        return addresses.stream().distinct().toList();
    }

    private static SignedAddress at(String host, String path) {
        return new SignedAddress(host, UriText.encode(UriText.decode(path), "/"));
    }

    private static Optional<String> first(Optional<String> list) {
        return list.filter(text -> text.length() <= MAX_HEADER)
                .map(text -> text.split(",", 2)[0].strip())
                .filter(text -> !text.isEmpty());
    }
}
