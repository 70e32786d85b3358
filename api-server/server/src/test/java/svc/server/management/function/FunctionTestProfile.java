package svc.server.management.function;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Short waits. One profile for all tests of functions, so that the server is started once for them. */
public final class FunctionTestProfile implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "svc.api.functions.ready-wait", "3s",
                "svc.api.functions.boot-time", "3s",
                "svc.api.functions.follow-time", "3s",
                "svc.api.functions.npm-registry", "http://127.0.0.1:1",
                "svc.api.functions.jsr-registry", "http://127.0.0.1:1",
                "svc.api.functions.private-registries", "true",
                "svc.api.limits.function-body", "16M");
    }
}
