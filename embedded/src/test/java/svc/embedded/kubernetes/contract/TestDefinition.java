package svc.embedded.kubernetes.contract;

import java.util.UUID;
import svc.embedded.kubernetes.HttpApi;
import svc.embedded.kubernetes.HttpApi.Reply;

/** A CustomResourceDefinition of kind W in an API group that no other test uses. */
final class TestDefinition {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final HttpApi http;
    private final String group = "g" + UUID.randomUUID().toString().substring(0, 8) + ".example.org";

    TestDefinition(HttpApi http) {
        this.http = http;
    }

    /** @param schema of version v1, as YAML */
    Reply create(String schema) throws Exception {
        return http.post(
                DEFINITIONS,
                ("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ws.%s},"
                                + " spec: {group: %s, scope: Namespaced, names: {plural: ws, kind: W}, versions: [{name: v1,"
                                + " served: true, storage: true, schema: {openAPIV3Schema: %s}}]}}")
                        .formatted(group, group, schema));
    }

    void delete() throws Exception {
        http.delete(DEFINITIONS + "/ws." + group);
    }

    String groupVersion() {
        return "/apis/" + group + "/v1";
    }

    String object(String name, String spec) {
        return "{apiVersion: %s/v1, kind: W, metadata: {name: %s}, spec: {%s}}".formatted(group, name, spec);
    }
}
