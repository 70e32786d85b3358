package svc.embedded.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import svc.embedded.kubernetes.http.BearerToken;
import svc.embedded.kubernetes.http.TlsIdentity;

/** What opens the API: the token, the key, the certificate. Kept readable for the user alone, so that a kubeconfig stays good. */
record AccessFiles(BearerToken token, TlsIdentity identity) {
    private static final String PRIVATE = "rw-------";
    private static final int TOKEN_BYTES = 32;

    static AccessFiles fresh(Clock clock) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new AccessFiles(new BearerToken(token), TlsIdentity.generate(clock));
    }

    /** Those of a folder, made at its first use. */
    static AccessFiles keptIn(Path folder, Clock clock) throws IOException {
        Files.createDirectories(folder);
        Path token = folder.resolve("token");
        Path key = folder.resolve("tls.key");
        Path certificate = folder.resolve("tls.crt");
        if (!Files.exists(certificate)) {
            AccessFiles made = fresh(clock);
            writePrivately(token, made.token().value());
            writePrivately(key, made.identity().keyPem());
            // Last, because it is what says that the others are whole.
            writePrivately(certificate, made.identity().certificatePem());
        }
        return new AccessFiles(
                new BearerToken(Files.readString(token).strip()),
                new TlsIdentity(Files.readString(key), Files.readString(certificate)));
    }

    /** Writes a file that is never readable to others, not even for a moment, and never half there. */
    static Path writePrivately(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path next = Files.createTempFile(
                folder,
                file.getFileName().toString(),
                ".next",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        Files.writeString(next, text);
        return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
