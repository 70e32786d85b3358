package svc.database.key;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The environment variables in which {@code @supabase/server} looks for the keys of a project: JSON objects of keys by
 * their names, of which a project has one of each kind, {@code default}, and the address of the public keys of its tokens.
 * Pure.
 */
public final class KeyVariables {
    private static final String PUBLIC_KEYS = "/auth/v1/.well-known/jwks.json";

    private KeyVariables() {}

    /**
     * @param url the project's base URL, without a slash at its end
     * @param anonKey letters, digits and {@code _}, as every key of the platform
     * @param serviceKey bypasses row security
     * @throws IllegalArgumentException for a key that JSON would have to escape
     */
    public static Map<String, String> of(String url, String anonKey, String serviceKey) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SUPABASE_PUBLISHABLE_KEYS", named(anonKey));
        variables.put("SUPABASE_SECRET_KEYS", named(serviceKey));
        variables.put("SUPABASE_JWKS_URL", url + PUBLIC_KEYS);
        return variables;
    }

    private static String named(String key) {
        if (key.chars().anyMatch(c -> c < ' ' || c == '"' || c == '\\')) {
            throw new IllegalArgumentException("not a key of the platform");
        }
        return "{\"default\":\"" + key + "\"}";
    }
}
