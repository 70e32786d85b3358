package svc.database.shared;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the hardening.
 *
 * @param notificationChannel on which the guard notifies of schema changes; derived from the platform's key, because LISTEN
 *     has no privilege in PostgreSQL. 1 to 63 bytes.
 * @param verifiers SCRAM-SHA-256 verifiers of {@code svc_catalog}, {@code svc_replication}, {@code svc_platform} and
 *     {@code svc_extensions}, by name; the server never sees a password
 * @param otherSharedDatabases databases of the same server that hold projects too: PUBLIC keeps CONNECT on them
 * @param platformDatabase the database with the schema of {@code svc_platform}, if it is on this server: that login may
 *     connect to it
 * @param furtherExtensions installed for projects beside those of {@code extensions.txt}
 */
public record HardeningSettings(
        String notificationChannel,
        Map<String, String> verifiers,
        Set<String> otherSharedDatabases,
        Optional<String> platformDatabase,
        Set<String> furtherExtensions) {

    public HardeningSettings {
        requireNonNull(notificationChannel, "notificationChannel is null");
        requireNonNull(platformDatabase, "platformDatabase is null");
        verifiers = Map.copyOf(verifiers);
        otherSharedDatabases = Set.copyOf(otherSharedDatabases);
        furtherExtensions = Set.copyOf(furtherExtensions);
        if (notificationChannel.isEmpty() || notificationChannel.getBytes(StandardCharsets.UTF_8).length > 63) {
            throw new IllegalArgumentException("A channel name has 1 to 63 bytes");
        }
        Set<String> missing = new HashSet<>(PlatformLogins.NAMES);
        missing.removeAll(verifiers.keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("No verifier for " + missing);
        }
        verifiers.forEach((login, verifier) -> {
            if (!verifier.startsWith("SCRAM-SHA-256$")) {
                throw new IllegalArgumentException("Not a SCRAM-SHA-256 verifier: that of " + login);
            }
        });
    }

    /** Without further extensions. */
    public HardeningSettings(
            String notificationChannel,
            Map<String, String> verifiers,
            Set<String> otherSharedDatabases,
            Optional<String> platformDatabase) {
        this(notificationChannel, verifiers, otherSharedDatabases, platformDatabase, Set.of());
    }

    /** The same with further extensions. */
    public HardeningSettings withFurtherExtensions(Set<String> names) {
        return new HardeningSettings(notificationChannel, verifiers, otherSharedDatabases, platformDatabase, names);
    }

    /** One shared database on its server, the platform's own elsewhere. */
    public static HardeningSettings of(String notificationChannel, Map<String, String> verifiers) {
        return new HardeningSettings(notificationChannel, verifiers, Set.of(), Optional.empty());
    }

    /** Omits the verifiers. */
    @Override
    public String toString() {
        return "HardeningSettings[otherSharedDatabases=" + otherSharedDatabases + ", platformDatabase="
                + platformDatabase + ", furtherExtensions=" + furtherExtensions + "]";
    }
}
