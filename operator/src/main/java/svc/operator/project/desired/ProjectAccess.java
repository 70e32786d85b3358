package svc.operator.project.desired;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a program needs to use a project. The names are those a deployed function sees (SPEC §2.6), so a Pod takes the
 * Secret with {@code envFrom} and runs the same code.
 *
 * @param serviceKey passes row security: it goes into the Secret and nowhere else
 */
public record ProjectAccess(String ref, String url, String schema, String anonKey, String serviceKey) {
    public Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SVC_PROJECT_REF", ref);
        variables.put("SVC_URL", url);
        variables.put("SVC_DB_SCHEMA", schema);
        variables.put("SVC_ANON_KEY", anonKey);
        variables.put("SVC_SERVICE_ROLE_KEY", serviceKey);
        return variables;
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "ProjectAccess[" + ref + "]";
    }
}
