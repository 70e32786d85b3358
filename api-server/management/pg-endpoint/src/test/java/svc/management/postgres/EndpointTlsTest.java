package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.http.TlsIdentity;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;

/** The PostgreSQL endpoint with a certificate: a password comes within TLS or not at all. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class EndpointTlsTest {
    private static final byte[] SSL_REQUEST =
            ByteBuffer.allocate(8).putInt(8).putInt(80_877_103).array();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private Path folder;
    private TestingProject project;
    private SecuredEndpoint endpoint;

    @BeforeEach
    void start() throws IOException, ReflectiveOperationException {
        project = TestingProject.create(client, tenants, "tls");
        folder = Files.createTempDirectory("endpoint-tls");
        endpoint = new SecuredEndpoint(folder, Duration.ofSeconds(60));
    }

    @AfterEach
    void stop() throws IOException, ReflectiveOperationException {
        endpoint.close();
        delete(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** The authority of a certificate that the client is to trust: the certificate itself. */
    private Path trusted(String certificatePem) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "trusted", ".pem"), certificatePem);
    }

    private Path trusted() throws IOException {
        return trusted(Files.readString(folder.resolve("tls.crt")));
    }

    private Connection connect(String sslMode, Path trusted) throws SQLException {
        var properties = new Properties();
        properties.put("user", "postgres." + project.ref());
        properties.put("password", TestingPlatform.ADMIN);
        properties.put("sslmode", sslMode);
        properties.put("sslrootcert", trusted.toString());
        return DriverManager.getConnection("jdbc:postgresql://localhost:" + endpoint.port() + "/postgres", properties);
    }

    private static String user(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select current_user::text")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    @Test
    void aClientThatVerifiesTheCertificateWorks() throws Exception {
        for (String mode : new String[] {"require", "verify-ca", "verify-full"}) {
            try (Connection connection = connect(mode, trusted())) {
                assertThat(user(connection)).isEqualTo(project.owner().login());
            }
        }
        Path other = trusted(TlsIdentity.generate(Clock.systemUTC()).certificatePem());
        assertThatThrownBy(() -> connect("verify-full", other)).hasCauseInstanceOf(SSLException.class);
    }

    @Test
    void aClientWithoutTlsIsRefusedBeforeItsPassword() throws Exception {
        try (WireClient wire = new WireClient(endpoint.port(), "127.0.0.1")) {
            wire.send(out -> out.startup(Map.of("user", "postgres." + project.ref(), "database", "postgres")));
            WireClient.Message first = wire.next();
            assertThat(first.type()).isEqualTo('E');
            assertThat(first.text()).contains("C28000|", "the connection must use TLS", "sslmode=require");
            assertThat(wire.isClosed()).isTrue();
        }
        assertThatThrownBy(() -> connect("disable", trusted()))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28000"))
                .hasMessageContaining("the connection must use TLS");
    }

    @Test
    void bytesBehindTheRequestForTlsAreRefused() throws Exception {
        try (WireClient wire = new WireClient(endpoint.port(), "127.0.0.1")) {
            wire.sendRaw(
                    ByteBuffer.allocate(16).put(SSL_REQUEST).put(SSL_REQUEST).array());
            WireClient.Message first = wire.next();
            assertThat(first.type()).isEqualTo('E');
            assertThat(first.text()).contains("C08P01|", "bytes came behind the request for TLS");
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void aBrokenHandshakeIsClosed() throws Exception {
        try (WireClient wrong = new WireClient(endpoint.port(), "127.0.0.1")) {
            wrong.sendRaw(SSL_REQUEST);
            assertThat(wrong.firstByte()).isEqualTo('S');
            wrong.send(out -> out.startup(Map.of("user", "postgres", "database", "postgres")));
            assertThat(wrong.isClosed()).isTrue();
        }
        try (Connection connection = connect("verify-full", trusted())) {
            assertThat(user(connection)).isEqualTo(project.owner().login());
        }
    }

    @Test
    void aHandshakeThatIsNotContinuedIsClosed() throws Exception {
        Path other = Files.createTempDirectory("endpoint-tls");
        try (var hasty = new SecuredEndpoint(other, Duration.ofSeconds(2));
                WireClient silent = new WireClient(hasty.port(), "127.0.0.1")) {
            silent.sendRaw(SSL_REQUEST);
            assertThat(silent.isClosed()).isTrue();
        } finally {
            delete(other);
        }
    }

    @Test
    void aCertificateThatChangesIsReadAgainAndABrokenOneIsNot() throws Exception {
        Path old = trusted();
        try (Connection before = connect("verify-full", old)) {
            TlsIdentity next = TlsIdentity.generate(Clock.systemUTC());
            endpoint.present(next);
            Path fresh = trusted(next.certificatePem());
            for (int i = 0; i < 2; i++) {
                try (Connection after = connect("verify-full", fresh)) {
                    assertThat(user(after)).isEqualTo(project.owner().login());
                }
                assertThatThrownBy(() -> connect("verify-full", old)).isInstanceOf(SQLException.class);
                endpoint.presentWhatIsNoCertificate();
            }
            assertThat(user(before)).isEqualTo(project.owner().login());
        }
    }
}
