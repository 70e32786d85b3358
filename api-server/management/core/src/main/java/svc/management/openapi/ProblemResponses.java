package svc.management.openapi;

import com.google.re2j.Pattern;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;
import svc.platform.problem.ProblemBody;

/**
 * Adds to the OpenAPI document what holds for every call: the token that it needs, and the body of each answer that is an error
 * (RFC 9457). Runs after the filters that add such answers.
 */
@OpenApiFilter(value = OpenApiFilter.RunStage.BUILD, priority = 0)
public class ProblemResponses implements OASFilter {
    private static final String PROBLEM = "Problem";
    private static final String TOKEN = "token";
    private static final String UNAUTHORIZED = "401";
    private static final Pattern ERROR = Pattern.compile("[45].*");

    @Override
    public void filterOpenAPI(OpenAPI document) {
        Components components =
                document.getComponents() == null ? OASFactory.createComponents() : document.getComponents();
        components.addSchema(PROBLEM, problem());
        components.addSecurityScheme(
                TOKEN,
                OASFactory.createSecurityScheme()
                        .type(SecurityScheme.Type.HTTP)
                        .scheme("bearer")
                        .description("A personal access token, svc_pat_…, or its other spelling, sbp_…"));
        document.setComponents(components);
        document.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme(TOKEN, List.of()));
        document.getPaths()
                .getPathItems()
                .values()
                .forEach(path -> path.getOperations().values().forEach(ProblemResponses::describe));
    }

    private static void describe(Operation call) {
        APIResponses responses = call.getResponses();
        if (responses == null) {
            return;
        }
        if (!responses.hasAPIResponse(UNAUTHORIZED)) {
            responses.addAPIResponse(
                    UNAUTHORIZED,
                    OASFactory.createAPIResponse()
                            .description(
                                    "token_missing, token_malformed, token_unknown, token_revoked, token_expired"));
        }
        responses.getAPIResponses().forEach((status, response) -> {
            if (ERROR.matches(status)) {
                response.setContent(content());
            }
        });
    }

    private static Content content() {
        return OASFactory.createContent()
                .addMediaType(
                        ProblemBody.MEDIA_TYPE,
                        OASFactory.createMediaType()
                                .schema(OASFactory.createSchema().ref(PROBLEM)));
    }

    private static Schema problem() {
        Schema error = object().addProperty("pointer", text("JSON pointer (RFC 6901) into the body"))
                .addProperty("message", text("What is wrong with the field"));
        return object().description("An error (RFC 9457); some have further members")
                .addProperty("type", text("urn:svc:problem:, followed by the code"))
                .addProperty("title", text("The same sentence for every error with this code"))
                .addProperty(
                        "status",
                        OASFactory.createSchema().addType(SchemaType.INTEGER).description("The status of the answer"))
                .addProperty("detail", text("What is wrong with this call"))
                .addProperty("message", text("The same as detail"))
                .addProperty("code", text("Of a closed set, for programs"))
                .addProperty("hint", text("What to do"))
                .addProperty("request_id", text("Names the call in the platform's log"))
                .addProperty(
                        "errors",
                        OASFactory.createSchema()
                                .addType(SchemaType.ARRAY)
                                .description("The fields that are wrong")
                                .items(error))
                .addProperty(
                        "missing_permissions",
                        OASFactory.createSchema()
                                .addType(SchemaType.ARRAY)
                                .description("What the token would need, of a 403")
                                .items(OASFactory.createSchema().addType(SchemaType.STRING)))
                .required(List.of("type", "title", "status", "detail", "message", "code", "request_id"))
                .additionalPropertiesBoolean(true);
    }

    private static Schema object() {
        return OASFactory.createSchema().addType(SchemaType.OBJECT);
    }

    private static Schema text(String description) {
        return OASFactory.createSchema().addType(SchemaType.STRING).description(description);
    }
}
