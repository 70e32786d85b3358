package svc.platform.clientip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller cannot choose the address that the audit names it by. */
class CallerAddressTest {
    private final CallerAddress behindProxies =
            new CallerAddress(List.of("10.0.0.0/8", "192.168.1.7", "172.16.0.0/12", "fd00::/8"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    203.0.113.5 | 198.51.100.9             | 203.0.113.5  | nobody's proxy is believed
                    10.1.2.3    | 198.51.100.9             | 198.51.100.9 | our proxy is
                    10.1.2.3    | 1.1.1.1, 198.51.100.9    | 198.51.100.9 | but not what the caller wrote before it
                    10.1.2.3    | 198.51.100.9, 192.168.1.7| 198.51.100.9 | two proxies of ours
                    10.1.2.3    | 198.51.100.9, 192.168.1.8| 192.168.1.8  | one of ours and a stranger's
                    10.1.2.3    | 10.9.9.9, 10.8.8.8       | 10.9.9.9     | a caller from within
                    10.1.2.3    | ''                       | 10.1.2.3     | a proxy that says nothing
                    10.1.2.3    | unknown                  | 10.1.2.3     | a word
                    10.1.2.3    | 198.51.100.9, evil.test  | 10.1.2.3     | a name is never looked up
                    10.1.2.3    | 198.51.100.9,            | 10.1.2.3     | an empty hop
                    172.31.0.1  | 198.51.100.9             | 198.51.100.9 | the last of a network
                    172.32.0.1  | 198.51.100.9             | 172.32.0.1   | the first behind it
                    fd00::1     | 2001:db8::1              | 2001:db8::1  | IPv6
                    fe80::1     | 2001:db8::1              | fe80::1      | another IPv6
                    ::ffff:10.0.0.1 | 198.51.100.9         | 198.51.100.9 | IPv4 within IPv6
                    """)
    void believesOurProxiesOnly(String connection, String forwarded, String address, String what) {
        assertThat(behindProxies.of(Optional.of(connection), List.of(forwarded)))
                .as(what)
                .hasValue(address);
    }

    @Test
    void trustsNoProxyWhenNothingIsConfigured() {
        assertThat(new CallerAddress(List.of()).of(Optional.of("10.1.2.3"), List.of("198.51.100.9")))
                .hasValue("10.1.2.3");
        assertThat(new CallerAddress(List.of()).of(Optional.empty(), List.of("198.51.100.9")))
                .isEmpty();
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(behindProxies.of(Optional.of("10.1.2.3"), List.of("198.51.100.9", "10.4.4.4")))
                .hasValue("198.51.100.9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "fd00::/129"})
    void refusesAConfigurationThatIsNoAddress(String text) {
        assertThatThrownBy(() -> new CallerAddress(List.of(text))).isInstanceOf(IllegalArgumentException.class);
    }
}
