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
 * The connection to an existing database, from a Secret: {@code host}, {@code port}, {@code dbname},
 * {@code user}, {@code password}, {@code sslmode}, {@code ca.crt}, and of an adopted one {@code owner-user} and {@code
 * owner-password}. Accepts {@code username} for {@code user}, as CloudNativePG writes it. Pure.
 */
public sealed interface ConnectionSecret {
    /**
     * Complete and valid.
     *
     * @param trust TLS mode and certificate authority
     * @param owner login for SQL of the Management API in an adopted database
     */
    record Complete(String host, int port, String databaseName, Login login, ServerTrust trust, Optional<Login> owner)
            implements ConnectionSecret {
        /** For the driver; contains no credential. */
        public String jdbcUrl() {
            String shown = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
            return "jdbc:postgresql://" + shown + ":" + port + "/" + databaseName + trust.jdbcParameters();
        }
    }

    /** A key is missing or invalid. */
    record Unusable(String why) implements ConnectionSecret {}

    /** A user and its password. */
    record Login(String user, String password) {
        /** Omits the password. */
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /** Parses a Secret. The message of an unusable one names keys, never values. */
    static ConnectionSecret of(Secret secret) {
        return new Reader(secret).read();
    }

    /** Collects all errors, so that one condition lists everything to correct. */
    final class Reader {
        private static final String AUTHORITY = "ca.crt";
        private static final int DEFAULT_PORT = 5432;
        /** Values become part of a URL: refuses characters that end a host or a database name. */
        private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]");

        private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_$.-]{1,63}");
        /** Of PostgreSQL: the server cuts longer ones, so that another login would be meant than the one that is named. */
        private static final int MAX_USER_BYTES = 63;

        /** PostgreSQL reads no longer ones. */
        private static final int MAX_PASSWORD_BYTES = 65_535;

        /** It is part of the Project's status. */
        private static final int MAX_AUTHORITY_BYTES = 65_536;

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
            Login login = login(values.containsKey("user") ? "user" : "username", "user", "password");
            if (port > 65_535) {
                wrong.add("port is out of range");
            }
            Optional<ServerTrust> trust = trust();
            Optional<Login> owner = owner();
            return wrong.isEmpty()
                    ? new Complete(host, port, database, login, trust.orElseThrow(), owner)
                    : new Unusable(String.join("; ", wrong));
        }

        /** A given authority must be used: refuses TLS modes that ignore it. */
        private Optional<ServerTrust> trust() {
            Optional<String> authority =
                    Optional.ofNullable(values.get(AUTHORITY)).filter(pem -> !pem.isBlank());
            String sslMode = values.getOrDefault("sslmode", authority.isPresent() ? "verify-full" : "prefer");
            if (!ServerTrust.MODES.contains(sslMode)) {
                wrong.add("sslmode is none of "
                        + String.join(", ", ServerTrust.MODES.stream().sorted().toList()));
                return Optional.empty();
            }
            if (authority.isPresent() && isLonger(authority.get(), MAX_AUTHORITY_BYTES)) {
                wrong.add(AUTHORITY + " is longer than " + MAX_AUTHORITY_BYTES
                        + " bytes: leave only the authorities that sign this server's certificate");
                return Optional.empty();
            }
            var trust = new ServerTrust(sslMode, authority);
            if (authority.isPresent() && !trust.verifies()) {
                wrong.add("sslmode " + sslMode + " ignores " + AUTHORITY + ": set verify-full, or remove " + AUTHORITY);
            }
            try {
                if (authority.isPresent()) {
                    TrustedServers.certificates(authority.get());
                }
            } catch (CertificateException e) {
                wrong.add(AUTHORITY + " contains no certificate in PEM");
            }
            return Optional.of(trust);
        }

        private Optional<Login> owner() {
            if (!values.containsKey("owner-user") && !values.containsKey("owner-password")) {
                return Optional.empty();
            }
            return Optional.of(login("owner-user", "owner-user", "owner-password"));
        }

        private Login login(String userKey, String shownUser, String passwordKey) {
            return new Login(
                    required(userKey, shownUser, MAX_USER_BYTES),
                    required(passwordKey, passwordKey, MAX_PASSWORD_BYTES));
        }

        private String required(String key, String shown, int maxBytes) {
            String value = values.getOrDefault(key, "");
            if (value.isEmpty() || value.indexOf('\0') >= 0) {
                wrong.add(shown + " is missing");
            } else if (isLonger(value, maxBytes)) {
                wrong.add(shown + " is longer than " + maxBytes + " bytes");
            }
            return value;
        }

        private static boolean isLonger(String value, int maxBytes) {
            return value.getBytes(StandardCharsets.UTF_8).length > maxBytes;
        }

        private String matching(String key, Pattern pattern, String absent) {
            String value = values.getOrDefault(key, absent).strip();
            if (value.isEmpty()) {
                wrong.add(key + " is missing");
            } else if (!pattern.matcher(value).matches()) {
                wrong.add(key + " is invalid");
                return absent.isEmpty() ? "" : absent;
            }
            return value;
        }

        private static String decoded(String base64) {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        }
    }
}
