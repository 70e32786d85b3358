package svc.database.tls;

import static java.util.Objects.requireNonNull;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * TLS settings of a connection.
 *
 * @param sslMode as in libpq
 * @param caCertificates in PEM; the server's certificate must be signed by one of them. Empty for those that the JVM trusts
 */
public record ServerTrust(String sslMode, Optional<String> caCertificates) {
    /** The values of sslMode. */
    public static final Set<String> MODES = Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    private static final Set<String> VERIFYING = Set.of("verify-ca", "verify-full");

    public ServerTrust {
        requireNonNull(caCertificates, "caCertificates is null");
        if (!MODES.contains(sslMode)) {
            throw new IllegalArgumentException("no sslmode: " + sslMode);
        }
    }

    /** Whether the server's certificate is verified. */
    public boolean verifies() {
        return VERIFYING.contains(sslMode);
    }

    /** The query part of a JDBC URL, with its question mark. */
    public String jdbcParameters() {
        // The driver's own factory would look for certificates in a file of the home folder.
        return "?sslmode=" + sslMode + (verifies() ? "&sslfactory=" + TrustedServers.class.getName() + argument() : "");
    }

    private String argument() {
        return caCertificates
                .map(pem -> "&sslfactoryarg=" + URLEncoder.encode(pem, StandardCharsets.UTF_8))
                .orElse("");
    }
}
