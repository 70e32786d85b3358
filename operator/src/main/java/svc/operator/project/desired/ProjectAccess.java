package svc.operator.project.desired;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The environment variables for using a project. A deployed function has the same names (SPEC §2.6), so a Pod that reads the
 * Secret with {@code envFrom} runs the same code.
 *
 * @param serviceKey bypasses row security: write it to the Secret and nowhere else
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

    /** Omits the keys. */
    @Override
    public String toString() {
        return "ProjectAccess[" + ref + "]";
    }
}
