package svc.auth.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Changes of {@code user_metadata} and {@code app_metadata}: new members replace old ones, null removes one. */
public final class Metadata {
    private Metadata() {}

    public static ObjectNode merged(ObjectNode before, ObjectNode change) {
        ObjectNode merged = before.deepCopy();
        change.properties().forEach(member -> {
            if (member.getValue().isNull()) {
                merged.remove(member.getKey());
            } else {
                merged.set(member.getKey(), member.getValue());
            }
        });
        return merged;
    }

    /** {@code app_metadata} with one more provider; the first one is also the member {@code provider}. */
    public static ObjectNode withProvider(ObjectNode appMetadata, String provider) {
        ObjectNode known = appMetadata.deepCopy();
        if (known.withArray("providers").add(provider).size() == 1) {
            known.put("provider", provider);
        }
        return known;
    }
}
