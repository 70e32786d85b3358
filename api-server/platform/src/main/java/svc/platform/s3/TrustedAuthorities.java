package svc.platform.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import software.amazon.awssdk.http.TlsTrustManagersProvider;

/** Trusts the authorities of a PEM file, and no other: a private S3 has a private one. */
record TrustedAuthorities(TrustManager[] managers) implements TlsTrustManagersProvider {
    /** @throws IllegalArgumentException for a file that cannot be read, or has no certificate */
    static TrustedAuthorities of(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(stream)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            if (number == 0) {
                throw new IllegalArgumentException("svc.api.s3.ca-file has no certificate: " + file);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return new TrustedAuthorities(factory.getTrustManagers());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("svc.api.s3.ca-file cannot be read: " + file, e);
        }
    }

    @Override
    public TrustManager[] trustManagers() {
        return managers.clone();
    }
}
