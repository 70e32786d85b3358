package svc.operator.project.dedicated;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import svc.embedded.postgres.EmbeddedPostgres;

/** A PostgreSQL beside the platform's, with TLS: whose certificate, for localhost, an authority of its own has signed. */
final class ProjectServerForTests implements AutoCloseable {
    static final String HOST = "localhost";
    static final String PASSWORD = "its-admins-own-password";

    private final String authority;
    private final EmbeddedPostgres server;

    private ProjectServerForTests(String authority, EmbeddedPostgres server) {
        this.authority = authority;
        this.server = server;
    }

    static ProjectServerForTests start() {
        try {
            EmbeddedPostgres.Settings settings = EmbeddedPostgres.Settings.forTests();
            KeyPair authorityKeys = keys();
            X500Name authorityName = new X500Name("CN=authority of a test");
            X509CertificateHolder authority =
                    certificate(authorityName, authorityKeys, authorityName, authorityKeys, true);
            KeyPair serverKeys = keys();
            X509CertificateHolder certificate =
                    certificate(authorityName, authorityKeys, new X500Name("CN=" + HOST), serverKeys, false);
            Path certificateFile = settings.folder().resolve("server.crt");
            Path keyFile = settings.folder().resolve("server.key");
            Files.writeString(certificateFile, pem(certificate));
            Files.writeString(keyFile, pem(new JcaPKCS8Generator(serverKeys.getPrivate(), null)));
            Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
            return new ProjectServerForTests(
                    pem(authority),
                    EmbeddedPostgres.start(settings.with(Map.of(
                            "ssl", "on",
                            "ssl_cert_file", certificateFile.toString(),
                            "ssl_key_file", keyFile.toString()))));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("while making certificates", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of another authority. */
    static String anotherAuthority() {
        try {
            KeyPair keys = keys();
            X500Name name = new X500Name("CN=another authority");
            return pem(certificate(name, keys, name, keys, true));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("while making a certificate", e);
        }
    }

    String authority() {
        return authority;
    }

    EmbeddedPostgres postgres() {
        return server;
    }

    String database() {
        return server.createDatabase("own");
    }

    /** A connection Secret of the superuser, with sslmode verify-full. */
    Map<String, String> secret(String database) {
        return secret(database, EmbeddedPostgres.OPERATOR, server.operatorPassword());
    }

    Map<String, String> secret(String database, String user, String password) {
        var data = new HashMap<String, String>();
        data.put("host", HOST);
        data.put("port", Integer.toString(server.port()));
        data.put("dbname", database);
        data.put("user", user);
        data.put("password", password);
        data.put("ca.crt", authority);
        return data;
    }

    void sql(String database, String script) {
        try (Connection connection = server.connect(database);
                var statement = connection.createStatement()) {
            statement.execute(script);
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + script, e);
        }
    }

    String query(String database, String sql) {
        try (Connection connection = server.connect(database);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + sql, e);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static X509CertificateHolder certificate(
            X500Name issuer, KeyPair issuerKeys, X500Name subject, KeyPair keys, boolean authority)
            throws OperatorCreationException, IOException {
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                subject,
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        if (!authority) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, HOST)));
        }
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate()));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
