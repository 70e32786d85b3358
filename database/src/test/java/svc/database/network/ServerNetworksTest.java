package svc.database.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant's database server lies in the networks that are allowed, however its address is written. */
class ServerNetworksTest {
    private static final ServerNetworks DEFAULT = new ServerNetworks(List.of(), List.of("10.1.2.3", "192.168.7.0/24"));
    private static final ServerNetworks LISTED =
            new ServerNetworks(List.of("10.0.0.0/8", "0.0.0.0/0", "::/0"), List.of());

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.255.0.1",
                "::1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "0.0.0.0",
                "::",
                "169.254.169.254",
                "::ffff:169.254.169.254",
                "::169.254.169.254",
                "64:ff9b::169.254.169.254",
                "2002:a9fe:a9fe::",
                "fe80::1",
                "ff02::1",
                "224.0.0.1",
                "255.255.255.255",
                "10.1.2.3",
                "::ffff:10.1.2.3",
                "192.168.7.9",
                "fd00:ec2::254",
                "2130706433",
                "127.1",
            })
    void loopbackLinkLocalAndThePlatformsOwnAreClosed(String text) {
        assertThat(DEFAULT.allows(address(text))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.4", "192.168.8.1", "8.8.8.8", "172.16.0.1", "2001:db8::1", "fd12::1", "100.64.0.1"})
    void otherAddressesAreOpen(String text) {
        assertThat(DEFAULT.allows(address(text))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "0.0.0.0", "::", "fe80::1", "224.0.0.1", "::ffff:169.254.169.254"})
    void noListOpensWhatIsNeverAServer(String text) {
        assertThat(LISTED.allows(address(text))).isFalse();
    }

    @Test
    void aListAloneDecides() {
        var loopback = new ServerNetworks(List.of("127.0.0.0/8"), List.of("127.0.0.1"));
        assertThat(loopback.allows(address("127.0.0.1"))).isTrue();
        assertThat(loopback.allows(address("10.0.0.1"))).isFalse();
        assertThat(loopback.allows(address("::1"))).isFalse();
        assertThatThrownBy(() -> new ServerNetworks(List.of("somewhere"), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPlatformsServerIsClosedByItsName() {
        var named = new ServerNetworks(List.of(), List.of("localhost", "no-such-host.invalid"));
        assertThat(named.allows(address("127.0.0.1"))).isFalse();
        assertThat(named.allows(address("8.8.8.8"))).isTrue();
    }

    @Test
    void theRulesTravelAsText() {
        assertThat(ServerNetworks.parse(DEFAULT.text())).isEqualTo(DEFAULT);
        assertThat(ServerNetworks.parse(LISTED.text())).isEqualTo(LISTED);
        assertThat(ServerNetworks.parse(";")).isEqualTo(new ServerNetworks(List.of(), List.of()));
    }

    @Test
    void theAddressOfTheConnectionIsJudged() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var target = new InetSocketAddress("localhost", server.getLocalPort());
            try (Socket closed = new CheckedSocket(new Socket(), DEFAULT)) {
                assertThatThrownBy(() -> closed.connect(target, 1000)).isInstanceOf(ConnectException.class);
                assertThatThrownBy(() -> closed.connect(InetSocketAddress.createUnresolved("localhost", 1)))
                        .isInstanceOf(ConnectException.class);
                assertThat(closed.isConnected()).isFalse();
            }
            var allowed = new ServerNetworks(List.of("127.0.0.0/8", "::1"), List.of());
            try (Socket open = new CheckedSocket(new Socket(), allowed);
                    Socket accepted = accept(server, open, target)) {
                open.getOutputStream().write(7);
                assertThat(accepted.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    private static Socket accept(ServerSocket server, Socket client, InetSocketAddress target) throws Exception {
        client.connect(target, 1000);
        return server.accept();
    }
}
