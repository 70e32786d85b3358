package svc.auth.redirect;

import io.netty.handler.codec.http.QueryStringEncoder;
import java.util.Map;

/** Encodes the parameters of a query, a fragment or a form, in their map's order. */
public final class Query {
    private Query() {}

    public static String encoded(Map<String, String> members) {
        var encoder = new QueryStringEncoder("");
        members.forEach(encoder::addParam);
        return members.isEmpty() ? "" : encoder.toString().substring(1);
    }

    /** @param address without a fragment; it may have a query */
    public static String appended(String address, Map<String, String> members) {
        return address + (address.contains("?") ? "&" : "?") + encoded(members);
    }
}
