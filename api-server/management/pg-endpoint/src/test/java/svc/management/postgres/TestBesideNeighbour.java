package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;

/** A test of what clients may do to the PostgreSQL endpoint; a neighbour is signed in before it, and works after it. */
abstract class TestBesideNeighbour {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    TestingProject project;
    private TestingProject other;
    private WireClient neighbour;

    @BeforeEach
    void makeProjects() throws IOException {
        project = TestingProject.create(client, tenants, "hostile");
        other = TestingProject.create(client, tenants, "beside");
        neighbour = new WireClient(endpoint.port(), "127.0.0.1");
        neighbour.signIn("postgres." + other.ref(), TestingPlatform.ADMIN);
    }

    @AfterEach
    void neighbourWorks() throws IOException {
        assertThat(WireClient.types(neighbour.query("select 1"))).isEqualTo("TDCZ");
        neighbour.close();
    }

    WireClient stranger(String from) throws IOException {
        return new WireClient(endpoint.port(), from);
    }

    /** Another connection of the neighbour's. */
    WireClient signedInAsNeighbour() throws IOException {
        WireClient wire = new WireClient(endpoint.port(), "127.0.0.1");
        wire.signIn("postgres." + other.ref(), TestingPlatform.ADMIN);
        return wire;
    }

    /** The neighbour's ref. */
    String neighbour() {
        return other.ref();
    }

    WireClient signedIn() throws IOException {
        return signedIn(endpoint.port());
    }

    WireClient signedIn(int port) throws IOException {
        WireClient wire = new WireClient(port, "127.0.0.1");
        assertThat(WireClient.types(wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                .endsWith("KZ");
        return wire;
    }

    static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }
}
