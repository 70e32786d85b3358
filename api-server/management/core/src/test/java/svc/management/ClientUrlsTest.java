package svc.management;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientUrlsTest {
    private static final String BASE = "http://127.0.0.1:8000/v1";

    @Test
    void aHostBelowLocalhostIsGivenByItsPath() {
        assertThat(ClientUrls.byPath("http://abcd1234.localhost:8000", BASE))
                .isEqualTo("http://127.0.0.1:8000/p/abcd1234");
        assertThat(ClientUrls.byPath("ws://abcd1234.localhost:8000/realtime/v1", BASE))
                .isEqualTo("ws://127.0.0.1:8000/p/abcd1234/realtime/v1");
    }

    @Test
    void everyOtherHostStays() {
        for (String url : new String[] {"https://abcd1234.data.example.com/rest/v1", "http://localhost:8000", ""}) {
            assertThat(ClientUrls.byPath(url, BASE)).isEqualTo(url);
        }
    }
}
