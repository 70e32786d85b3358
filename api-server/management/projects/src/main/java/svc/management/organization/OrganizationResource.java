package svc.management.organization;

import com.google.re2j.Pattern;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.management.audit.CallAudit;
import svc.management.json.Body;
import svc.management.problem.DisplayName;
import svc.management.token.AccessTokens;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.management.token.TokenBodies;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /v1/organizations}. A token sees its own organisation. */
@Path("/v1/organizations")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class OrganizationResource {
    /** The form of a Project's {@code spec.organization}. */
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final int MAX_NAME_LENGTH = 100;

    private final Organizations organizations;
    private final AccessTokens tokens;
    private final CurrentPrincipal caller;
    private final CallAudit audit;
    private final Clock clock;

    OrganizationResource(
            Organizations organizations, AccessTokens tokens, CurrentPrincipal caller, CallAudit audit, Clock clock) {
        this.organizations = organizations;
        this.tokens = tokens;
        this.caller = caller;
        this.audit = audit;
        this.clock = clock;
    }

    /** @param slug the name in URLs and projects, which never changes */
    @Schema(name = "CreateOrganizationBody")
    public record Create(String slug, String name) {}

    @Schema(name = "OrganizationResponse")
    public record View(String id, String slug, String name, Instant createdAt) {
        static View of(Organization organization) {
            return new View(organization.slug(), organization.slug(), organization.name(), organization.createdAt());
        }
    }

    /** @param token the organisation's first token, which may manage its others */
    @Schema(name = "CreateOrganizationResponse")
    public record Created(View organization, TokenBodies.View token) {}

    @GET
    @Operation(operationId = "listOrganizations", summary = "List the organisation of the token")
    public List<View> list() {
        return organizations.find(caller.get().organization()).stream()
                .map(View::of)
                .toList();
    }

    /** @param plan always {@code free}: nothing is billed here */
    @Schema(name = "OrganizationSlugResponse")
    public record Details(
            String id,
            String slug,
            String name,
            Instant createdAt,
            String plan,
            List<String> optInTags,
            List<String> allowedReleaseChannels) {}

    @GET
    @Path("/{slug}")
    @Operation(operationId = "v1-get-an-organization", summary = "Get the organisation of the token")
    @APIResponse(responseCode = "200", description = "The organisation")
    @APIResponse(responseCode = "404", description = "not_found")
    public Details get(@PathParam("slug") String slug) {
        View own = own(slug);
        return new Details(own.id(), own.slug(), own.name(), own.createdAt(), "free", List.of(), List.of("ga"));
    }

    /**
     * A holder of a token: an organisation has no other members here.
     *
     * @param userId of the token
     * @param roleName {@code Owner} for a token that manages the others
     */
    @Schema(name = "OrganizationMemberResponse")
    public record Member(UUID userId, String userName, String roleName, boolean mfaEnabled) {}

    @GET
    @Path("/{slug}/members")
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "v1-list-organization-members",
            summary = "List the members of the organisation, which are the holders of its active tokens")
    @APIResponse(responseCode = "200", description = "The members")
    @APIResponse(responseCode = "403", description = "pat_tokens_manage_forbidden")
    @APIResponse(responseCode = "404", description = "not_found")
    public List<Member> members(@PathParam("slug") String slug) {
        own(slug);
        Instant now = clock.instant();
        return tokens.list(caller.get()).stream()
                .filter(token -> token.revokedAt().isEmpty())
                .filter(token ->
                        token.expiresAt().filter(end -> !end.isAfter(now)).isEmpty())
                .map(token -> new Member(
                        token.id(),
                        token.name(),
                        token.permissions().contains(Permission.TOKENS_MANAGE) ? "Owner" : "Developer",
                        false))
                .toList();
    }

    private View own(String slug) {
        return list().stream()
                .filter(own -> own.slug().equals(slug))
                .findFirst()
                .orElseThrow(() -> Problem.of(ProblemCode.NOT_FOUND, "There is no such organisation for this token.")
                        .withHint("GET /v1/organizations lists the one that there is.")
                        .asException());
    }

    @POST
    @ResponseStatus(201)
    @Requires(Permission.ORGANIZATIONS_CREATE)
    @Operation(operationId = "createOrganization", summary = "Create an organisation and its first token")
    @APIResponse(
            responseCode = "201",
            description = "The organisation and its token",
            content = @Content(schema = @Schema(implementation = Created.class)))
    public Created create(Create body) {
        Body.required(body);
        String slug = Body.required(body.slug(), "/slug");
        if (!SLUG.matcher(slug).matches()) {
            String rule = "must be 1 to 63 lower-case letters, digits and inner hyphens";
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /slug " + rule + ".")
                    .withError("/slug", rule)
                    .asException();
        }
        String name =
                DisplayName.checked("The organisation's", body.name() == null ? slug : body.name(), MAX_NAME_LENGTH);
        var made = audit.recorded(
                new CallAudit.Caller(caller.get().tokenId(), caller.get().organization()),
                Optional.empty(),
                "create organization",
                () -> organizations.create(caller.get(), slug, name),
                created -> "create organization " + created.organization().slug());
        return new Created(View.of(made.organization()), TokenBodies.view(made.token()));
    }
}
