package svc.management.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Adds to the OpenAPI document the headers that no resource names: Idempotency-Key of calls that change something, and what is
 * left of the limit of calls that count against one, which are those with an answer 429.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class CommonHeaders implements OASFilter {
    private static final String KEY = "Idempotency-Key";
    private static final String TOO_MANY = "429";
    private static final int KEY_LENGTH = 255;
    private static final Set<HttpMethod> CHANGES =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);
    private static final Map<String, String> LIMIT = Map.of(
            "X-RateLimit-Limit", "Calls in a window of the limit",
            "X-RateLimit-Remaining", "Calls that are left in it",
            "X-RateLimit-Reset", "Seconds until one more call is possible");

    @Override
    public void filterOpenAPI(OpenAPI document) {
        document.getPaths()
                .getPathItems()
                .values()
                .forEach(path -> path.getOperations().forEach(CommonHeaders::describe));
    }

    private static void describe(HttpMethod method, Operation call) {
        APIResponses responses = call.getResponses();
        if (responses == null) {
            return;
        }
        boolean counts = responses.hasAPIResponse(TOO_MANY);
        if (CHANGES.contains(method)) {
            acceptKey(call, responses);
        }
        if (counts) {
            responses.getAPIResponses().forEach((status, response) -> {
                if (status.startsWith("2") || status.equals(TOO_MANY)) {
                    LIMIT.forEach(
                            (name, description) -> response.addHeader(name, header(description, SchemaType.INTEGER)));
                }
            });
        }
    }

    private static void acceptKey(Operation call, APIResponses responses) {
        List<Parameter> parameters =
                call.getParameters() == null ? new ArrayList<>() : new ArrayList<>(call.getParameters());
        if (parameters.stream().noneMatch(parameter -> KEY.equals(parameter.getName()))) {
            parameters.add(OASFactory.createParameter()
                    .name(KEY)
                    .in(Parameter.In.HEADER)
                    .description(
                            "Identifies the call: a repetition within 24 hours runs nothing and gets the first answer")
                    .schema(OASFactory.createSchema().addType(SchemaType.STRING).maxLength(KEY_LENGTH)));
            call.setParameters(parameters);
        }
        refusal(responses, "409", "idempotency_key_in_use, idempotency_answer_not_kept");
        refusal(responses, "422", "idempotency_key_reused");
        responses.getAPIResponses().forEach((status, response) -> {
            if (status.startsWith("2")) {
                response.addHeader(
                        "Idempotency-Replayed",
                        header("true for the answer of an earlier call; nothing ran now", SchemaType.STRING));
            }
        });
    }

    private static void refusal(APIResponses responses, String status, String codes) {
        APIResponse known = responses.getAPIResponse(status);
        if (known == null) {
            responses.addAPIResponse(status, OASFactory.createAPIResponse().description(codes));
        } else if (known.getDescription() != null && !known.getDescription().contains(codes)) {
            known.setDescription(known.getDescription() + ", " + codes);
        }
    }

    private static Header header(String description, SchemaType type) {
        return OASFactory.createHeader()
                .description(description)
                .schema(OASFactory.createSchema().addType(type));
    }
}
