package svc.management.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jboss.logging.Logger;

/** The certificate of the endpoint, read again when its files change. */
final class TlsIdentity {
    private static final Logger LOG = Logger.getLogger(TlsIdentity.class);

    private final Vertx vertx;
    private final Path certificate;
    private final Path key;
    private Optional<SSLContext> context = Optional.empty();
    private String readAt = "";
    private String lastComplaint = "";

    TlsIdentity(Vertx vertx, Path certificate, Path key) {
        this.vertx = vertx;
        this.certificate = certificate;
        this.key = key;
    }

    /** @throws IOException if the files hold no certificate and its key */
    void read() throws IOException {
        String now = Files.getLastModifiedTime(certificate) + " " + Files.getLastModifiedTime(key);
        if (now.equals(readAt)) {
            return;
        }
        try {
            var options =
                    new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString());
            SSLContext fresh = SSLContext.getInstance("TLS");
            fresh.init(options.getKeyManagerFactory(vertx).getKeyManagers(), null, null);
            context = Optional.of(fresh);
            readAt = now;
            lastComplaint = "";
        } catch (Exception e) {
            throw new IOException(
                    "svc.api.postgres.certificate and .key cannot be read as a certificate and its key", e);
        }
    }

    /** The server's side of a connection on which the client has asked for TLS; the handshake begins with the first read. */
    synchronized SSLSocket secure(Socket plain) throws IOException {
        try {
            read();
        } catch (IOException e) {
            complain(e);
        }
        var secure = (SSLSocket) context.orElseThrow(() -> new IOException("there is no certificate"))
                .getSocketFactory()
                .createSocket(plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
        secure.setUseClientMode(false);
        return secure;
    }

    /** Once for each reason: strangers connect as often as they like. */
    private void complain(IOException e) {
        String complaint = e + " " + e.getCause();
        if (!complaint.equals(lastComplaint)) {
            lastComplaint = complaint;
            LOG.error("the certificate of the PostgreSQL endpoint cannot be read again; the last one stays", e);
        }
    }
}
