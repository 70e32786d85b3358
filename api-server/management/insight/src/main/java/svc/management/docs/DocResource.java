package svc.management.docs;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.management.token.WithoutToken;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /llms.txt} and {@code /v1/docs/{page}}: the documentation as Markdown, for everyone. */
@Path("/")
@RunOnVirtualThread
public class DocResource {
    private static final String EVERYONE = "the documentation is public";

    private final Docs docs;

    DocResource(Docs docs) {
        this.docs = docs;
    }

    @GET
    @Path("llms.txt")
    @WithoutToken(because = EVERYONE)
    @Operation(operationId = "llmsTxt", summary = "The index of the documentation, for language models", hidden = true)
    public Response index(@Context Request request) {
        return answer(request, docs.index(), "text/plain;charset=UTF-8");
    }

    @GET
    @Path("v1/docs/{page}")
    @WithoutToken(because = EVERYONE)
    @Operation(operationId = "documentation", summary = "A page of the documentation", hidden = true)
    public Response page(@PathParam("page") String name, @Context Request request) {
        DocPage page = docs.page(name.endsWith(".md") ? name : name + ".md")
                .orElseThrow(() -> Problem.of(ProblemCode.NOT_FOUND, "The documentation has no such page.")
                        .withHint("GET /llms.txt lists the pages.")
                        .asException());
        return answer(request, page.markdown(), "text/markdown;charset=UTF-8");
    }

    /** A release changes the text alone, so its hash is enough to ask for it again. */
    private static Response answer(Request request, String text, String type) {
        var tag = new EntityTag(
                UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString());
        Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
        return (unchanged != null ? unchanged : Response.ok(text).type(type))
                .tag(tag)
                .header("Cache-Control", "public, max-age=3600")
                .header("X-Content-Type-Options", "nosniff")
                .build();
    }
}
