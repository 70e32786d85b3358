package svc.realtime.presence;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.realtime.message.RawJson;

/** The payloads of {@code presence_state} and {@code presence_diff}. */
final class PresenceJson {
    private PresenceJson() {}

    static String diff(Collection<Presence> joins, Collection<Presence> leaves) {
        return "{\"joins\":" + state(joins) + ",\"leaves\":" + state(leaves) + "}";
    }

    /** By key, with all its metas. */
    static String state(Collection<Presence> presences) {
        Map<String, List<String>> metas = new LinkedHashMap<>();
        for (Presence presence : presences) {
            metas.computeIfAbsent(presence.key(), key -> new ArrayList<>()).add(presence.json());
        }
        StringBuilder json = new StringBuilder("{");
        metas.forEach((key, values) -> json.append(json.length() > 1 ? "," : "")
                .append(RawJson.quote(key))
                .append(":{\"metas\":[")
                .append(String.join(",", values))
                .append("]}"));
        return json.append('}').toString();
    }
}
