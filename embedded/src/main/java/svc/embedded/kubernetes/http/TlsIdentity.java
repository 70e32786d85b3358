package svc.embedded.kubernetes.http;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The server's key and certificate, for the loopback addresses only, and its own authority.
 *
 * <p>There is TLS on loopback because kubectl sends no token over plain HTTP.
 */
public record TlsIdentity(String keyPem, String certificatePem) {
    private static final Duration VALIDITY = Duration.ofDays(3650);
    private static final Duration CLOCK_SLACK = Duration.ofDays(1);

    /** A new random key, and a certificate for it. */
    public static TlsIdentity generate(Clock clock) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            Instant now = clock.instant();
            X500Name name = new X500Name("CN=svc embedded Kubernetes API");
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(120, new SecureRandom()).add(BigInteger.ONE),
                    Date.from(now.minus(CLOCK_SLACK)),
                    Date.from(now.plus(VALIDITY)),
                    name,
                    pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"), new GeneralName(GeneralName.dNSName, "localhost")
            }));
            var certificate = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
            return new TlsIdentity(pem(new JcaPKCS8Generator(pair.getPrivate(), null)), pem(certificate));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("while making a certificate for the loopback interface", e);
        }
    }

    private static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException("while writing PEM", e);
        }
        return text.toString();
    }

    /** Says nothing of the key: records end up in logs. */
    @Override
    public String toString() {
        return "TlsIdentity[" + certificatePem + "]";
    }
}
