package svc.operator.project.connection;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import svc.database.tls.ServerTrust;
import svc.database.tls.TrustedServers;

/**
 * How to reach an existing database, as its owner wrote it into a Secret: {@code host}, {@code port}, {@code dbname},
 * {@code user}, {@code password}, {@code sslmode}, {@code ca.crt}, and of an adopted one {@code owner-user} and {@code
 * owner-password}. {@code username} is taken for {@code user}, as CloudNativePG writes it. Pure.
 */
public sealed interface ConnectionSecret {
    /**
     * It says all that is needed.
     *
     * @param trust how connections are encrypted, and which server is believed
     * @param owner the login that runs SQL of the Management API in an adopted database
     */
    record Complete(String host, int port, String databaseName, Login login, ServerTrust trust, Optional<Login> owner)
            implements ConnectionSecret {
        /** For the driver; holds no credential. */
        public String jdbcUrl() {
            String shown = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
            return "jdbc:postgresql://" + shown + ":" + port + "/" + databaseName + trust.jdbcParameters();
        }
    }

    /** It lacks something, or has something that cannot be. */
    record Unusable(String why) implements ConnectionSecret {}

    /** A user and its password. */
    record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /** Reads it; the message of an unusable one names keys, never values. */
    static ConnectionSecret of(Secret secret) {
        return new Reader(secret).read();
    }

    /** Collects what is wrong, so that one look at the condition is enough to mend all of it. */
    final class Reader {
        private static final String AUTHORITY = "ca.crt";
        private static final int DEFAULT_PORT = 5432;
        /** They go into a URL: what could end a host or a database's name in it is not taken. */
        private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]");

        private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_$.-]{1,63}");
        private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");

        private final Map<String, String> values = new TreeMap<>();
        private final List<String> wrong = new ArrayList<>();

        private Reader(Secret secret) {
            if (secret.getData() != null) {
                secret.getData().forEach((key, value) -> values.put(key, decoded(value)));
            }
            if (secret.getStringData() != null) {
                values.putAll(secret.getStringData());
            }
        }

        private ConnectionSecret read() {
            String host = matching("host", HOST, "");
            int port = Integer.parseInt(matching("port", PORT, Integer.toString(DEFAULT_PORT)));
            String database = matching("dbname", DATABASE, "");
            Login login = new Login(
                    required(values.containsKey("user") ? "user" : "username", "user"),
                    required("password", "password"));
            if (port > 65_535) {
                wrong.add("port is no port");
            }
            Optional<ServerTrust> trust = trust();
            Optional<Login> owner = owner();
            return wrong.isEmpty()
                    ? new Complete(host, port, database, login, trust.orElseThrow(), owner)
                    : new Unusable(String.join("; ", wrong));
        }

        /** Who gives an authority wants the server to be checked against it, and is not to believe so in vain. */
        private Optional<ServerTrust> trust() {
            Optional<String> authority =
                    Optional.ofNullable(values.get(AUTHORITY)).filter(pem -> !pem.isBlank());
            String sslMode = values.getOrDefault("sslmode", authority.isPresent() ? "verify-full" : "prefer");
            if (!ServerTrust.MODES.contains(sslMode)) {
                wrong.add("sslmode is none of "
                        + String.join(", ", ServerTrust.MODES.stream().sorted().toList()));
                return Optional.empty();
            }
            var trust = new ServerTrust(sslMode, authority);
            if (authority.isPresent() && !trust.verifies()) {
                wrong.add(
                        "sslmode " + sslMode + " does not look at " + AUTHORITY + ": set verify-full, or leave it out");
            }
            try {
                if (authority.isPresent()) {
                    TrustedServers.certificates(authority.get());
                }
            } catch (CertificateException e) {
                wrong.add(AUTHORITY + " holds no certificate in PEM");
            }
            return Optional.of(trust);
        }

        private Optional<Login> owner() {
            if (!values.containsKey("owner-user") && !values.containsKey("owner-password")) {
                return Optional.empty();
            }
            return Optional.of(
                    new Login(required("owner-user", "owner-user"), required("owner-password", "owner-password")));
        }

        private String required(String key, String shown) {
            String value = values.getOrDefault(key, "");
            if (value.isEmpty() || value.indexOf('\0') >= 0) {
                wrong.add(shown + " is missing");
            }
            return value;
        }

        private String matching(String key, Pattern pattern, String absent) {
            String value = values.getOrDefault(key, absent).strip();
            if (value.isEmpty()) {
                wrong.add(key + " is missing");
            } else if (!pattern.matcher(value).matches()) {
                wrong.add(key + " is not one");
                return absent.isEmpty() ? "" : absent;
            }
            return value;
        }

        private static String decoded(String base64) {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        }
    }
}
