package svc.management.token;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** {@code /v1/profile}: on whose behalf the caller calls, which is its token: the control plane knows no people. */
@Path("/v1/profile")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ProfileResource {
    private final AccessTokens tokens;
    private final CurrentPrincipal caller;

    ProfileResource(AccessTokens tokens, CurrentPrincipal caller) {
        this.tokens = tokens;
        this.caller = caller;
    }

    /**
     * The holder of a token, with the members of Supabase's API.
     *
     * @param gotrueId of the token
     * @param primaryEmail always empty: a token has none
     * @param username the token's name
     */
    @Schema(name = "ProfileResponse")
    public record Profile(UUID gotrueId, String primaryEmail, String username) {}

    @GET
    @Operation(operationId = "v1-get-profile", summary = "Get the name and the id of the token that calls")
    @APIResponse(responseCode = "200", description = "The token as a user")
    public Profile profile() {
        Principal by = caller.get();
        return new Profile(by.tokenId(), "", tokens.get(by, by.tokenId()).name());
    }
}
