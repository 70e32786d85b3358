package svc.api.rest.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.schema.Table;
import svc.api.tenancy.Tenant;

/** What the API says about itself. */
public final class Descriptions {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Descriptions() {}

    /**
     * The root: an OpenAPI 2.0 document without paths, which names the API and where it is. No table is named: which ones a
     * caller may know of is for the caller's privileges to say.
     */
    public static Response root(ApiRequest request, Tenant tenant) {
        if (request.action() == ApiRequest.Action.INFO) {
            return new Response(200, Map.of("Allow", "OPTIONS,GET,HEAD"), new byte[0]);
        }
        if (request.action() != ApiRequest.Action.READ) {
            throw RestError.method(request.action().name());
        }
        Map<String, Object> document = new TreeMap<>();
        document.put("swagger", "2.0");
        document.put("info", Map.of("title", "REST API of project " + tenant.ref(), "version", "1"));
        document.put("basePath", "/rest/v1");
        document.put("paths", Map.of());
        try {
            byte[] body = request.headOnly() ? new byte[0] : JSON.writeValueAsBytes(document);
            return new Response(200, Map.of("Content-Type", "application/openapi+json; charset=utf-8"), body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing the description of the API", e);
        }
    }

    public static Response methods(Table table) {
        return new Response(200, Map.of("Allow", String.join(",", Plan.methods(table))), new byte[0]);
    }
}
