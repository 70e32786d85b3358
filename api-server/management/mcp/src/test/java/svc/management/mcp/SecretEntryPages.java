package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.testing.Http;

/** The page on which a person enters a secret, in a browser that keeps one cookie. */
final class SecretEntryPages {
    private static final Pattern ADDRESS =
            Pattern.compile("http://api\\.svc\\.example(/v1/secret-entry\\?request=[A-Za-z0-9_-]{43})");

    private SecretEntryPages() {}

    /** The path of the page within the answer of the tool. */
    static String path(String said) {
        Matcher address = ADDRESS.matcher(said);
        assertThat(address.find()).as(said).isTrue();
        return address.group(1);
    }

    static Http.Answer open(String path) {
        return SignIn.stranger().get(path);
    }

    /** The form of a page, filled in. */
    static Map<String, String> filled(Http.Answer page, String token, String value) {
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
        Map<String, String> form = new LinkedHashMap<>(SignIn.fields(page));
        form.put("token", token);
        form.put("value", value);
        return form;
    }

    static Http browser(Http.Answer page) {
        return SignIn.stranger().with("Cookie", SignIn.cookie(page));
    }

    static Http.Answer send(Http by, Map<String, String> form) {
        return by.with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", "/v1/secret-entry", SignIn.encoded(form));
    }

    /** Opens a link and stores a value with a personal access token. */
    static Http.Answer enter(String path, String token, String value) {
        Http.Answer page = open(path);
        return send(browser(page), filled(page, token, value));
    }
}
