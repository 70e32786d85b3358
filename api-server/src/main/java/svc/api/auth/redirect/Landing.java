package svc.api.auth.redirect;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The address that a user is sent to, with what it is told: after a hash, which no server sees, or as a query. */
public final class Landing {
    private Landing() {}

    /** @param url its own fragment gives way: clients read the whole of it as parameters */
    public static String withFragment(String url, Map<String, String> told) {
        return withoutFragment(url) + "#" + encoded(told);
    }

    public static String withQuery(String url, Map<String, String> told) {
        String page = withoutFragment(url);
        String fragment = url.substring(page.length());
        return page + (page.indexOf('?') < 0 ? "?" : "&") + encoded(told) + fragment;
    }

    private static String withoutFragment(String url) {
        int hash = url.indexOf('#');
        return hash < 0 ? url : url.substring(0, hash);
    }

    private static String encoded(Map<String, String> told) {
        return told.entrySet().stream()
                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
