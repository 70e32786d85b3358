package svc.extensions.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only a project's own API is exempt from the rules for addresses, however a path is written. */
class OwnAddressTest {
    private static final OwnAddress PATH_STYLE = new OwnAddress("http", "127.0.0.1", 8000, "/p/aaaa2345");
    private static final OwnAddress BY_HOST = new OwnAddress("https", "aaaa2345.data.example.com", 443, "");

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8000/p/aaaa2345/functions/v1/hello?a=1, true",
        "HTTP://127.0.0.1:8000/p/aaaa2345/functions/v1/hello, true",
        "http://127.0.0.1:8000/p/bbbb2345/functions/v1/hello, false",
        "http://127.0.0.1:8000/p/aaaa23456/functions/v1/hello, false",
        "http://127.0.0.1:8000/v1/projects, false",
        "http://127.0.0.1:8000/p/aaaa2345/../bbbb2345/rest/v1/, false",
        "http://127.0.0.1:8000/p/aaaa2345/%2e%2E/bbbb2345/, false",
        "http://127.0.0.1:8000/p/aaaa2345/..%2fbbbb2345/, false",
        "http://127.0.0.1:8000/p/aaaa2345//functions/v1/x, false",
        "http://127.0.0.1:8001/p/aaaa2345/functions/v1/hello, false",
        "https://127.0.0.1:8000/p/aaaa2345/functions/v1/hello, false",
        "http://127.0.0.1/p/aaaa2345/functions/v1/hello, false",
        "http://u@127.0.0.1:8000/p/aaaa2345/functions/v1/hello, false",
        "http://localhost:8000/p/aaaa2345/functions/v1/hello, false",
    })
    void onOneMachine(URI called, boolean covered) {
        assertThat(PATH_STYLE.covers(called)).isEqualTo(covered);
    }

    @ParameterizedTest
    @CsvSource({
        "https://aaaa2345.data.example.com/functions/v1/hello, true",
        "https://AAAA2345.data.example.com:443/functions/v1/hello, true",
        "https://bbbb2345.data.example.com/functions/v1/hello, false",
        "https://aaaa2345.data.example.com.evil.org/functions/v1/hello, false",
        "http://aaaa2345.data.example.com/functions/v1/hello, false",
        "https://aaaa2345.data.example.com:8443/functions/v1/hello, false",
    })
    void byHost(URI called, boolean covered) {
        assertThat(BY_HOST.covers(called)).isEqualTo(covered);
    }
}
