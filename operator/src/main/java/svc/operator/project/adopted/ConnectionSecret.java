package svc.operator.project.adopted;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How to reach an existing database, as its owner wrote it into a Secret: {@code host}, {@code port}, {@code dbname},
 * {@code user}, {@code password}, {@code sslmode}, and {@code owner-user} and {@code owner-password}. {@code username} is taken for {@code user}, as CloudNativePG writes it. Pure.
 */
public sealed interface ConnectionSecret {
    /**
     * It says all that is needed.
     *
     * @param sslMode one of libpq's words
     * @param owner the login that runs SQL of the Management API in an adopted database
     */
    record Complete(String host, int port, String databaseName, Login login, String sslMode, Optional<Login> owner)
            implements ConnectionSecret {
        /** For the driver; holds no credential. */
        public String jdbcUrl() {
            String shown = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
            return "jdbc:postgresql://" + shown + ":" + port + "/" + databaseName + "?sslmode=" + sslMode;
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
        private static final int DEFAULT_PORT = 5432;
        private static final Set<String> SSL_MODES =
                Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

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
            String sslMode = values.getOrDefault("sslmode", "prefer");
            if (port > 65_535) {
                wrong.add("port is no port");
            }
            if (!SSL_MODES.contains(sslMode)) {
                wrong.add("sslmode is none of "
                        + String.join(", ", SSL_MODES.stream().sorted().toList()));
            }
            Optional<Login> owner = owner();
            return wrong.isEmpty()
                    ? new Complete(host, port, database, login, sslMode, owner)
                    : new Unusable(String.join("; ", wrong));
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
