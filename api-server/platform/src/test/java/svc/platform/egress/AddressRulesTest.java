package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only plainly public addresses are called for a tenant. */
class AddressRulesTest {
    private final AddressRules rules = new AddressRules(List.of("20.30.0.0/16", "2a00:1::/32"), List.of("10.9.0.0/16"));

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:2::1", "10.9.1.2"})
    void isOpen(String address) throws UnknownHostException {
        assertThat(rules.allows(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "127.0.0.1",
                "127.255.255.254",
                "10.0.0.1",
                "10.8.255.255",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "100.100.100.200",
                "192.0.0.192",
                "198.18.0.1",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "20.30.1.1",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2001::1",
                "3fff::1",
                "2a00:1::5",
                "100::1",
                "5f00::1"
            })
    void isClosed(String address) throws UnknownHostException {
        assertThat(rules.allows(InetAddress.getByName(address))).isFalse();
    }

    @Test
    void aRangeThatIsNoneIsRefused() {
        for (String range : List.of("10.0.0.0/33", "example.com/8", "10.0.0.0/x", "", "localhost")) {
            assertThatThrownBy(() -> new AddressRules(List.of(range), List.of()))
                    .as(range)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
