package svc.extensions.net;

import java.net.URI;
import java.util.Locale;
import svc.platform.tenancy.Tenant;

/**
 * The address of a project's own API, which its SQL may call wherever the platform runs: also where that address is none that is
 * open to tenants, as on one machine. The status of the project has it, and nothing beside it is covered. Pure.
 *
 * @param path without a slash at its end
 */
record OwnAddress(String scheme, String host, int port, String path) {
    static OwnAddress of(Tenant tenant) {
        // Where files are served is the API's address and this ending.
        String files = tenant.storageUrl();
        URI base = URI.create(files.substring(0, files.length() - "/storage/v1".length()));
        return new OwnAddress(
                lower(base.getScheme()),
                lower(base.getHost()),
                port(base),
                base.getRawPath() == null ? "" : base.getRawPath());
    }

    static OwnAddress onThisMachine(URI base, String host, String path) {
        return new OwnAddress(lower(base.getScheme()), host, port(base), path);
    }

    /** Whether a call of this address reaches the project's API and nothing else. */
    boolean covers(URI address) {
        String called = address.getRawPath() == null ? "" : address.getRawPath();
        return address.getUserInfo() == null
                && scheme.equals(lower(address.getScheme()))
                && host.equals(lower(address.getHost()))
                && port == port(address)
                && called.startsWith(path + "/")
                && isPlain(called);
    }

    /** Another way to write a path could lead out of it, wherever the two are read differently. */
    private static boolean isPlain(String called) {
        String lower = lower(called);
        return !lower.contains("..")
                && !lower.contains("//")
                && !lower.contains("\\")
                && !lower.contains("%2e")
                && !lower.contains("%2f")
                && !lower.contains("%5c");
    }

    private static int port(URI address) {
        return address.getPort() > 0 ? address.getPort() : "https".equals(lower(address.getScheme())) ? 443 : 80;
    }

    private static String lower(String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
