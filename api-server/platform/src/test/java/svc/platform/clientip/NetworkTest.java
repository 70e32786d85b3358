package svc.platform.clientip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: a subscriber is one caller, however many addresses of its network it uses. */
class NetworkTest {
    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, 203.0.113.7",
        "::ffff:203.0.113.7, 203.0.113.7",
        "2001:db8:1:2::1, 2001:db8:1:2::/64",
        "2001:db8:1:2:ffff:ffff:ffff:ffff, 2001:db8:1:2::/64",
        "2001:DB8:1:2:0:0:0:9, 2001:db8:1:2::/64",
        "2001:db8:1:3::1, 2001:db8:1:3::/64",
        "fe80::1%eth0, fe80::/64",
        "::1, ::/64",
        "unknown, unknown"
    })
    void anAddressBelongsToOneCaller(String address, String network) {
        assertThat(CallerAddress.network(address)).isEqualTo(network);
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, 203.0.113.0/24",
        "::ffff:203.0.113.7, 203.0.113.0/24",
        "2001:db8:1:2::1, 2001:db8:1::/48",
        "2001:db8:1:ffff:ffff:ffff:ffff:ffff, 2001:db8:1::/48",
        "2001:db8:2::1, 2001:db8:2::/48",
        "fe80::1%eth0, fe80::/48",
        "unknown, unknown"
    })
    void aCustomerOfANetworkProviderIsOneSite(String address, String site) {
        assertThat(CallerAddress.site(address)).isEqualTo(site);
    }
}
