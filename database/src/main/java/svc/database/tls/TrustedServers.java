package svc.database.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.postgresql.ssl.WrappedFactory;

/**
 * Connections to servers whose certificate one of the given authorities has signed. Public for the driver, which makes it
 * by its name; the driver itself compares the host's name where the mode is {@code verify-full}.
 */
public final class TrustedServers extends WrappedFactory {
    /** Limits the memory that a tenant's certificates can take. */
    public static final int MAX_PEM_CHARS = 64 << 10;

    /** @param pem certificates of authorities; null or empty for those that the JVM trusts */
    public TrustedServers(String pem) throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(pem == null || pem.isBlank() ? null : store(certificates(pem)));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        factory = context.getSocketFactory();
    }

    /**
     * The certificates of a text.
     *
     * @throws CertificateException when there is none, or one that cannot be read
     */
    public static Collection<? extends Certificate> certificates(String pem) throws CertificateException {
        if (pem.length() > MAX_PEM_CHARS) {
            throw new CertificateException("longer than " + MAX_PEM_CHARS + " characters");
        }
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        if (found.isEmpty()) {
            throw new CertificateException("no certificate");
        }
        return found;
    }

    private static KeyStore store(Collection<? extends Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        return store;
    }
}
