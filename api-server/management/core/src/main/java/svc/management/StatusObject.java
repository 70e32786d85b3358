package svc.management;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The gateway's description of itself (SPEC 4.9), the entry point for agents. */
final class StatusObject {
    private StatusObject() {}

    /** @param prefixes the path prefixes of a project's host */
    static JsonObject json(List<String> prefixes) {
        return new JsonObject()
                .put("status", "ok")
                .put("service", "svc-gateway")
                .put(
                        "planes",
                        new JsonObject()
                                .put("data", new JsonArray(prefixes))
                                .put("control", new JsonArray().add("/v1").add("/api")))
                .put(
                        "sql",
                        new JsonObject()
                                .put(
                                        "note",
                                        "SQL and DDL run through the control plane only; the data plane has no SQL endpoint.")
                                .put(
                                        "endpoints",
                                        new JsonObject()
                                                .put("database_query", "POST /v1/projects/{ref}/database/query")
                                                .put(
                                                        "migrate_service_role",
                                                        "POST /api/projects/{ref}/migrate/service-role")))
                .put(
                        "hint",
                        "Create a project with POST /v1/projects and a personal access token; GET /v1/openapi.json"
                                + " describes every call.");
    }
}
