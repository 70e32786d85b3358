package svc.management.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.http.TlsIdentity;

/** An {@link EndpointCopy} with a certificate for localhost. */
final class SecuredEndpoint implements AutoCloseable {
    private final Path certificate;
    private final Path key;
    private final EndpointCopy endpoint;
    private Instant writtenAt = Instant.parse("2030-01-01T00:00:00Z");

    /** @param login how long a client may take to sign in */
    SecuredEndpoint(Path folder, Duration login) throws IOException, ReflectiveOperationException {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
        present(TlsIdentity.generate(Clock.systemUTC()));
        endpoint = new EndpointCopy(Map.of(
                "certificate",
                Optional.of(certificate.toString()),
                "key",
                Optional.of(key.toString()),
                "login",
                login));
    }

    /** Writes the files of the certificate, as an update of a mounted Secret does. */
    void present(TlsIdentity identity) throws IOException {
        write(identity.certificatePem(), identity.keyPem());
    }

    void presentWhatIsNoCertificate() throws IOException {
        write("not PEM", "not PEM");
    }

    private void write(String certificatePem, String keyPem) throws IOException {
        Files.writeString(certificate, certificatePem);
        Files.writeString(key, keyPem);
        // Two writes within one tick of the file system's clock would look like one.
        writtenAt = writtenAt.plusSeconds(1);
        Files.setLastModifiedTime(certificate, FileTime.from(writtenAt));
        Files.setLastModifiedTime(key, FileTime.from(writtenAt));
    }

    int port() {
        return endpoint.port();
    }

    @Override
    public void close() throws ReflectiveOperationException {
        endpoint.close();
    }
}
