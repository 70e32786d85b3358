package svc.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;
import svc.platform.tenancy.Tenant;

/** Documents by their hash. */
class PersistedQueryTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    private static String hash(String query) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(query.getBytes(StandardCharsets.UTF_8)));
    }

    private static HttpResponse<String> post(Tenant tenant, String query, String hash) {
        String sent = query == null ? "" : "\"query\":\"" + query + "\",";
        return GraphqlFixture.SERVICE.request(
                tenant,
                "POST",
                "/",
                Map.of("Content-Type", "application/json"),
                "{" + sent + "\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"" + hash + "\"}}}");
    }

    @Test
    void aDocumentThatWasSentOnceIsFoundByItsHash() throws Exception {
        String query = "{ accountByPk(id: 3) { id } }";
        String found = "{\"data\":{\"accountByPk\":{\"id\":3}}}";
        assertThat(post(BLOG.tenant(), null, hash(query)).body()).contains("\"PersistedQueryNotFound\"");
        assertThat(post(BLOG.tenant(), query, hash(query)).body()).isEqualTo(found);
        assertThat(post(BLOG.tenant(), null, hash(query)).body()).isEqualTo(found);
        String extensions = "{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"" + hash(query) + "\"}}";
        assertThat(GraphqlFixture.SERVICE
                        .get(BLOG.tenant(), "/?extensions=" + URLEncoder.encode(extensions, StandardCharsets.UTF_8))
                        .body())
                .isEqualTo(found);
    }

    @Test
    void aHashNamesItsOwnDocumentOfItsOwnProjectOnly() throws Exception {
        String query = "{ accountByPk(id: 2) { id } }";
        assertThat(post(BLOG.tenant(), query, hash("{ __typename }")).statusCode())
                .isEqualTo(400);
        assertThat(post(BLOG.tenant(), query, "x").statusCode()).isEqualTo(400);
        post(BLOG.tenant(), query, hash(query));
        Tenant other = GraphqlFixture.serve("SELECT 1").tenant();
        assertThat(post(other, null, hash(query)).body()).contains("\"PersistedQueryNotFound\"");
    }

    @Test
    void aDocumentThatIsLongerThanTheLimitIsNotKept() throws Exception {
        String query = "{ accountByPk(id: 2) { id } } #" + "x".repeat(200_000);
        post(BLOG.tenant(), query, hash(query));
        assertThat(post(BLOG.tenant(), null, hash(query)).body()).contains("\"PersistedQueryNotFound\"");
    }
}
