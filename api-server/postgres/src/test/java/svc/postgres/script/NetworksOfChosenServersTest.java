package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.network.ServerNetworks;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Login;
import svc.postgres.SqlError;

/** No plane connects to a server that a tenant chose outside of the networks that are allowed. */
class NetworksOfChosenServersTest {
    private static final ServerNetworks DEFAULT = new ServerNetworks(List.of(), List.of());
    private static final ServerNetworks LOOPBACK = new ServerNetworks(List.of("127.0.0.0/8"), List.of());

    private ServerSocket inside;

    @BeforeEach
    void listen() throws IOException {
        inside = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void close() throws IOException {
        inside.close();
    }

    private String url(ServerNetworks networks) {
        return "jdbc:postgresql://localhost:" + inside.getLocalPort() + "/x?sslmode=disable" + networks.jdbcParameter();
    }

    private boolean wasCalled(int millis) throws IOException {
        inside.setSoTimeout(millis);
        try {
            inside.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void theDataPlaneStaysOutside() throws IOException {
        assertThatThrownBy(() -> new Login(url(DEFAULT), "u", () -> "p", Server.CHOSEN_BY_TENANT).open())
                .isInstanceOf(SqlError.class);
        assertThat(wasCalled(200)).isFalse();
    }

    @Test
    void theSqlEndpointStaysOutside() throws IOException {
        assertThatThrownBy(() -> WireConnection.open(ServerAddress.of(url(DEFAULT)), Duration.ofSeconds(2)))
                .isInstanceOf(ConnectException.class);
        assertThat(wasCalled(200)).isFalse();
    }

    @Test
    void anAllowedServerIsCalled() throws Exception {
        var opened = CompletableFuture.supplyAsync(() -> {
            try {
                return Optional.of(WireConnection.open(ServerAddress.of(url(LOOPBACK)), Duration.ofSeconds(30)));
            } catch (IOException e) {
                return Optional.empty();
            }
        });
        assertThat(wasCalled(60_000)).isTrue();
        assertThat(opened.get()).isPresent();
    }
}
