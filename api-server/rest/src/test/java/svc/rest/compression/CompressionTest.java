package svc.rest.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.rest.testing.SharedDataPlane;

/** Answers are compressed for clients that ask for it, where it is worth the work. */
class CompressionTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        tenant = SharedDataPlane.project("""
                CREATE TABLE item (id int PRIMARY KEY, name text);
                INSERT INTO item SELECT i, 'item number ' || i FROM generate_series(1, 5000) i;
                CREATE FUNCTION encoded() RETURNS text LANGUAGE sql STABLE AS $$
                    SELECT set_config('response.headers', '[{"Content-Encoding": "identity"}]', true) || repeat('x', 5000) $$;
                """);
    }

    private static HttpResponse<byte[]> get(String path, String acceptEncoding) throws Exception {
        var request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + SharedDataPlane.PLANE.port() + "/" + tenant.ref() + path));
        if (acceptEncoding != null) {
            request.header("Accept-Encoding", acceptEncoding);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String unpacked(HttpResponse<byte[]> answer) throws IOException {
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(answer.headers().firstValue("Content-Length")).contains(Integer.toString(answer.body().length));
        try (var in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The first on the event loop, the second too long for it. */
    @Test
    void theSameTextArrivesInAFractionOfItsBytes() throws Exception {
        for (String path :
                new String[] {"/item?limit=100&order=id", "/item?limit=900&order=id&select=*,n:name,m:name"}) {
            HttpResponse<byte[]> plain = get(path, null);
            HttpResponse<byte[]> packed = get(path, "deflate, GZIP;q=0.8, br");

            assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(unpacked(packed)).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
            assertThat(packed.body().length).isLessThan(plain.body().length / 3);
            assertThat(packed.headers().firstValue("Content-Range"))
                    .isEqualTo(plain.headers().firstValue("Content-Range"));
        }
    }

    @Test
    void whatIsShortOrUnwantedOrEncodedIsSentAsItIs() throws Exception {
        assertThat(get("/item?id=eq.1", "gzip").headers().firstValue("Content-Encoding"))
                .isEmpty();
        assertThat(get("/item", "gzip;q=0, br").headers().firstValue("Content-Encoding"))
                .isEmpty();
        assertThat(get("/rpc/encoded", "gzip").headers().firstValue("Content-Encoding"))
                .contains("identity");
    }
}
