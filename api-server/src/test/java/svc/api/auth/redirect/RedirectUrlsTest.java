package svc.api.auth.redirect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.auth.AuthSpec;

/** Promise: users are sent to the project's site or to what its list names, and to no other place. */
class RedirectUrlsTest {
    private static final String SITE = "https://app.example.com";
    private static final RedirectUrls URLS = of(
            SITE,
            "https://*.preview.example.com/**",
            "http://localhost:*/**",
            "myapp://login/*",
            "https://**.wide.example.com",
            "https://{one,two}.example.org/a?b",
            "https://exact.example.com/cb");

    private static RedirectUrls of(String site, String... patterns) {
        AuthSpec spec = new com.fasterxml.jackson.databind.ObjectMapper()
                .convertValue(Map.of("siteUrl", site, "redirectUrls", patterns), AuthSpec.class);
        return RedirectUrls.of(spec);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example.com",
                "https://APP.example.com/welcome?next=%2Fx#top",
                "https://app.example.com:8443/welcome",
                "https://pr-7.preview.example.com/a/b.html?c=d",
                "http://localhost:5173/callback",
                "myapp://login/done",
                "https://a.b.wide.example.com",
                "https://two.example.org/axb",
                "https://exact.example.com/cb"
            })
    void whatTheListNamesIsGoneTo(String url) {
        assertThat(URLS.of(Optional.of(url))).contains(url);
    }

    /** Each is read by some browser, or some careless comparison, as a place of the list. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "//evil.example",
                "/relative",
                "https://app.example.com@evil.example",
                "https://app.example.com:pw@evil.example/",
                "https://evil.example\\@app.example.com",
                "https:\\\\app.example.com\\@evil.example",
                "https://app.example.com.evil.example",
                "https://evil.example/https://app.example.com",
                "https://evil.example?.preview.example.com/",
                "https://evil.example/.preview.example.com/x",
                "https://evil.example#.preview.example.com/x",
                "https://a.b.preview.example.com/x",
                "https://evil.example/x.wide.example.com",
                "https://evil.example?x.wide.example.com",
                "http://app.example.com",
                "javascript:alert(1)",
                "javascript://app.example.com/%0aalert(1)",
                "JaVaScRiPt:alert(1)",
                "data:text/html,x",
                "ftp://app.example.com/x",
                "https://app.example.com\r\nSet-Cookie: a=b",
                "https://app.example.com/\tx",
                " https://app.example.com",
                "https:app.example.com",
                "https:///evil.example",
                "https://\u0430pp.example.com",
                "https://\uff41pp.example.com",
                "https://two.example.org/a/b",
                "https://exact.example.com/cb/more",
                "myapp://login/a/b",
                "http://localhost:5173@evil.example/x"
            })
    void anythingElseBecomesTheSite(String url) {
        assertThat(URLS.of(Optional.of(url))).contains(SITE);
    }

    @Test
    void aPatternThatIsTooWideStillLetsInNoScript() {
        RedirectUrls wide = of(SITE, "**", "*:*");
        assertThat(wide.allows("javascript:alert(1)")).isFalse();
        assertThat(wide.allows("https://x@evil.example")).isFalse();
        assertThat(wide.allows("https://elsewhere.example/x")).isTrue();
    }

    @Test
    void aPatternThatCannotBeReadLetsInNothing() {
        RedirectUrls odd = of(SITE, "https://{a", "https://[z-a].example", "https://a.example/\\");
        assertThat(odd.allows("https://a.example/")).isFalse();
        assertThat(odd.allows("https://{a")).isFalse();
    }

    @Test
    void anAddressOfAnyLengthIsJudgedAtOnce() {
        RedirectUrls many = of(SITE, "https://" + "*a".repeat(500) + "/**");
        assertThat(many.allows("https://" + "a".repeat(2000) + "!/")).isFalse();
    }

    @Test
    void whatIsToldStandsBehindTheAddress() {
        assertThat(Landing.withFragment("https://a.example/#/route", Map.of("error", "a&b c")))
                .isEqualTo("https://a.example/#error=a%26b+c");
        assertThat(Landing.withQuery("https://a.example/?x=1#top", Map.of("code", "7")))
                .isEqualTo("https://a.example/?x=1&code=7#top");
    }
}
