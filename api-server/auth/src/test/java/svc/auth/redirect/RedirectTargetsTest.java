package svc.auth.redirect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.http.AuthErrorCode;
import svc.crds.project.auth.AuthSpec;

/** Promise: users are sent to the project's own site, or where the project says, and nowhere else. */
class RedirectTargetsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SITE = "https://shop.example";
    private final RedirectTargets targets = new RedirectTargets();

    private static AuthSpec spec(String site, String... globs) throws Exception {
        ObjectNode spec = JSON.createObjectNode().put("siteUrl", site);
        var list = spec.putArray("redirectUrls");
        for (String glob : globs) {
            list.add(glob);
        }
        return JSON.treeToValue(spec, AuthSpec.class);
    }

    @ParameterizedTest
    @CsvSource({
        "https://*.shop.example/**, https://beta.shop.example/a/b?c=d",
        "https://*.shop.example/**, https://beta.shop.example",
        "https://shop-*.pages.example/**, https://shop-git-main.pages.example/cb",
        "http://localhost:*/**, http://localhost:5173/cb",
        "https://app.example/cb, https://app.example/cb",
        "https://app.example/cb, HTTPS://APP.example/cb",
        "https://app.example/cb, https://app.example/cb#there",
        "https://app.example/*, https://app.example/cb",
        "https://app.example/?b, https://app.example/cb",
        "https://app.example/[a-c]b, https://app.example/cb",
        "'https://{one,two}.example/cb', https://two.example/cb",
        "https://**, https://anything.example/at/all",
        "com.my_app://callback, com.my_app://callback",
        "myapp:/callback, myapp:/callback",
        "exp://*/--/*, exp://u-project/--/login",
    })
    void whatTheProjectListsIsAllowed(String glob, String wanted) throws Exception {
        assertThat(targets.resolve(spec(SITE, glob), Optional.of(wanted))).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "https://*.shop.example/**, https://evil.example/.shop.example/a",
        "https://*.shop.example/**, https://evil.example?.shop.example/a",
        "https://*.shop.example/**, https://evil?.shop.example/a",
        "https://*.shop.example/**, https://evil#.shop.example/a",
        "https://*.shop.example/**, https://a.b.shop.example/",
        "https://*.shop.example/**, https://user@beta.shop.example/",
        "https://*.shop.example/**, https://evil.example\\.shop.example/",
        "https://**.shop.example/**, https://evil.example/x.shop.example/a",
        "https://*.shop.example/**, http://beta.shop.example/a",
        "https://*.shop.example/**, https://beta.shop.example.evil.example/",
        "https://app.example/*, https://app.example/a/b",
        "https://app.example/auth/**, https://app.example/auth/../admin",
        "https://app.example/auth/**, https://app.example/auth/%2E%2e/admin",
        "https://app.example/auth/**, https://app.example/auth/.%2e",
        "http://*/cb, http://2130706433/cb",
        "http://*/cb, http://0x7f000001/cb",
        "**, javascript:alert(1)",
        "**, JavaScript://shop.example/%0aalert(1)",
        "**, 'data:text/html,x'",
        "**, //evil.example/",
        "**, /evil.example",
        "**, https:evil.example",
        "**, https://evil.example/%zz",
        "'https://{one,two.example/cb', https://one.example/cb",
        "'https://[a', https://a",
    })
    void everythingElseIsTheSite(String glob, String wanted) throws Exception {
        assertThat(targets.resolve(spec(SITE, glob), Optional.of(wanted))).isEqualTo(SITE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.example/a b", "https://shop.example/\r\nSet-Cookie: a=b", "\thttps://evil.example/"
            })
    void whatNoAddressHoldsIsTheSite(String wanted) throws Exception {
        assertThat(targets.resolve(spec(SITE, "**"), Optional.of(wanted))).isEqualTo(SITE);
    }

    @ParameterizedTest
    @CsvSource({
        "https://shop.example, https://shop.example/welcome?a=b, true",
        "https://shop.example, https://shop.example:443/welcome, true",
        "https://shop.example, http://shop.example/welcome, false",
        "https://shop.example, https://shop.example:8443/welcome, false",
        "https://shop.example, https://shop.example.evil.example/, false",
        "http://localhost:3000, http://localhost:5173/cb, true",
        "http://localhost:3000, http://127.0.0.1:5173/cb, false",
        "not an address, https://evil.example/, false",
    })
    void theSiteItselfIsAllowedByOrigin(String site, String wanted, boolean allowed) throws Exception {
        assertThat(targets.resolve(spec(site), Optional.of(wanted))).isEqualTo(allowed ? wanted : site);
    }

    @Test
    void aListThatWouldTakeForeverToMatchDoesNot() throws Exception {
        String glob = "https://app.example/" + "*a".repeat(1000);
        String wanted = "https://app.example/" + "a".repeat(2000) + "b";
        assertThat(targets.resolve(spec(SITE, glob), Optional.of(wanted))).isEqualTo(SITE);
    }

    @Test
    void aProjectWithoutASiteSendsToTheUsualAddressOfDevelopment() {
        assertThat(targets.resolve(AuthSpec.defaults(), Optional.of("https://evil.example")))
                .isEqualTo("http://localhost:3000");
    }

    @Test
    void whatIsWrittenIntoAnAddressCannotLeaveItsPlace() {
        var error = AuthErrorCode.NOT_ADMIN.error("no & never #\r\nSet-Cookie: a=b");
        String landing = RedirectUrl.withError("https://shop.example/cb?next=%2Fa#old", error);
        assertThat(landing).startsWith("https://shop.example/cb?next=%2Fa&error=access_denied&error_code=not_admin");
        assertThat(landing).doesNotContain("old").doesNotContain("\r").doesNotContain("\n");
        assertThat(URI.create(landing).getRawFragment()).contains("error_description=no%20%26%20never%20%23");
        assertThat(URI.create(landing).getRawFragment()).endsWith("&sb=");
        var session = JSON.createObjectNode().put("access_token", "a").put("refresh_token", "r");
        assertThat(RedirectUrl.withSession("https://shop.example", session, Map.of("provider_token", "p=&")))
                .isEqualTo("https://shop.example#access_token=a&expires_at=&expires_in=&provider_token=p%3D%26"
                        + "&refresh_token=r&sb=&token_type=");
        assertThat(RedirectUrl.withCode("myapp://cb", "c")).isEqualTo("myapp://cb?code=c");
    }
}
