package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.dataplane.DataPlanePath;
import svc.platform.dataplane.ServiceDirectory;

/** The prefixes of a project's host, and the paths below them that work without an API key. */
class UnauthenticatedPathsTest {
    private static final ServiceDirectory SERVICES = Services.all();

    @ParameterizedTest
    @CsvSource({
        "GET, /auth/v1/authorize, true",
        "GET, /auth/v1/verify, true",
        "POST, /auth/v1/verify, false",
        "GET, /auth/v1/callback, true",
        "POST, /auth/v1/callback, true",
        "POST, /auth/v1/authorize, false",
        "POST, /auth/v1/sso/saml/acs, true",
        "POST, /auth/v1/sso, false",
        "GET, /auth/v1/.well-known/jwks.json, true",
        "GET, /auth/v1/user, false",
        "GET, /auth/v1/authorize/more, false",
        "GET, /storage/v1/object/public/b/k.png, true",
        "HEAD, /storage/v1/object/public/b/k.png, true",
        "DELETE, /storage/v1/object/public/b/k.png, false",
        "GET, /storage/v1/object/sign/b/k.png, true",
        "POST, /storage/v1/object/sign/b/k.png, false",
        "PUT, /storage/v1/object/upload/sign/b/k.png, true",
        "POST, /storage/v1/object/upload/sign/b/k.png, false",
        "GET, /storage/v1/render/image/public/b/k.png, true",
        "GET, /storage/v1/render/image/sign/b/k.png, true",
        "GET, /storage/v1/render/image/authenticated/b/k.png, false",
        "GET, /storage/v1/bucket, false",
        "GET, /storage/v1/object/b/k.png, true",
        "POST, /storage/v1/object/b/k.png, false",
        "GET, /storage/v1/object/authenticated/b/k.png, false",
        "GET, /storage/v1/object/info/b/k.png, false",
        "GET, /storage/v1/object/info/public/b/k.png, true",
        "GET, /rest/v1/object/public/b, false",
        "GET, /rest/v1/authorize, false",
    })
    void onlyWhatABrowserOpensByItself(String method, String path, boolean open) {
        DataPlanePath target = SERVICES.cut(path).orElseThrow();

        assertThat(target.isUnauthenticated(HttpMethod.valueOf(method))).isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
        "/storage/v1/object/public/../../bucket",
        "/storage/v1/object/public/%2e%2e/bucket",
        "/storage/v1/object/public/.%2E/bucket",
        "/storage/v1/./bucket",
        "/rest/v2/todos",
        "/rest/v1x/todos",
        "/sql",
        "/pg-meta/default/query",
        "/REST/v1/todos",
        "/v1/projects",
        "/",
    })
    void outsideTheSixPrefixesIsNothing(String path) {
        assertThat(SERVICES.cut(path)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/rest/v1, rest, /",
        "/rest/v1/, rest, /",
        "/rest/v1/a%2Fb, rest, /a%2Fb",
        "/storage/v1/object/b/.hidden, storage, /object/b/.hidden",
    })
    void theRestOfThePathStaysAsItCame(String path, String service, String rest) {
        DataPlanePath target = SERVICES.cut(path).orElseThrow();

        assertThat(target.service()).isEqualTo(service);
        assertThat(target.rest()).isEqualTo(rest);
    }

    @Test
    void thereAreExactlySixPrefixes() {
        assertThat(SERVICES.prefixes())
                .containsExactly("/rest/v1", "/auth/v1", "/storage/v1", "/realtime/v1", "/graphql/v1", "/functions/v1");
    }
}
