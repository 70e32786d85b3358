package svc.management.mcp.oauth;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.database.name.SupabaseRef;
import svc.management.page.FormSeal;
import svc.management.page.HtmlPage;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.management.token.WithoutToken;
import svc.platform.problem.ProblemException;

/**
 * {@code /v1/oauth/authorize}: shows a person what a client wants, and sends the browser back to the client with the decision.
 * The person signs in with a personal access token, on the same page.
 */
@Path("/v1/oauth/authorize")
@RunOnVirtualThread
public class ConsentResource {
    private static final String PERSON = "a person signs in on this page";

    private final OAuthClients clients;
    private final OAuthGrants grants;
    private final OAuthAddresses addresses;
    private final OAuthLimits limits;
    private final TokenAuthentication tokens;
    private final FormSeal seal;

    ConsentResource(
            OAuthClients clients,
            OAuthGrants grants,
            OAuthAddresses addresses,
            OAuthLimits limits,
            TokenAuthentication tokens) {
        this.clients = clients;
        this.grants = grants;
        this.addresses = addresses;
        this.limits = limits;
        this.tokens = tokens;
        this.seal = new FormSeal("svc_oauth", addresses.isSecure());
    }

    @GET
    @WithoutToken(because = PERSON)
    @Operation(
            operationId = "oauthAuthorize",
            summary = "The page on which a person allows an MCP client",
            hidden = true)
    public Response show(RoutingContext context) {
        HtmlPage.notForScripts(context);
        return safely(() -> {
            OAuthForm form = OAuthForm.ofQuery(context.request().query());
            return checked(form, request -> page(request, form, FormSeal.newKey(), Optional.empty(), 200));
        });
    }

    @POST
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = PERSON)
    @Operation(operationId = "oauthDecide", summary = "The decision of a person about an MCP client", hidden = true)
    public Response decide(byte[] body, RoutingContext context) {
        HtmlPage.notForScripts(context);
        return safely(() -> {
            limits.countDecision(context);
            OAuthForm form = OAuthForm.ofBody(body);
            String key = seal.senderKey(context, form.request(), form.optional("seal"))
                    .orElseThrow(() -> OAuthError.of(
                            OAuthError.INVALID_REQUEST, "The page is too old, or this browser did not open it."));
            return checked(form, request -> decided(request, form, key));
        });
    }

    private Response decided(AuthorizationRequest request, OAuthForm form, String key) {
        if (!form.optional("decision").filter("allow"::equals).isPresent()) {
            OAuthError denied = OAuthError.of("access_denied", "The person did not allow it.");
            return redirected(request.redirect(), error(form, denied));
        }
        boolean readOnly = request.readOnly() || form.optional("read_only").isPresent();
        String code;
        try {
            Principal by = tokens.authenticate(
                    "Bearer " + form.optional("token").map(String::strip).orElse(""));
            code = grants.allow(
                    by,
                    request,
                    form.optional("project_ref")
                            .map(String::strip)
                            .filter(ref -> !ref.isEmpty())
                            .map(ref -> SupabaseRef.ref(ref).orElse(ref)),
                    readOnly);
        } catch (ProblemException e) {
            return page(request, form, key, Optional.of(e.problem().detail()), 401);
        }
        Map<String, String> answer = request.answer(addresses.issuer());
        answer.put("code", code);
        return redirected(request.redirect(), answer);
    }

    @FunctionalInterface
    private interface Step {
        Response apply(AuthorizationRequest request);
    }

    @FunctionalInterface
    private interface Call {
        Response run();
    }

    /**
     * Runs a step for a request whose client and address are known. The person reports a client's mistake to it by following a
     * link: anyone may register an address, and this server is no way to be sent there unseen (RFC 9700 section 4.11.2).
     */
    private Response checked(OAuthForm form, Step step) {
        OAuthClient client = clients.find(form.required("client_id"))
                .orElseThrow(() -> OAuthError.of(OAuthError.INVALID_CLIENT, "There is no such client any more."));
        RedirectAddress redirect = client.redirect(form.required("redirect_uri"));
        try {
            return step.apply(AuthorizationRequest.of(client, redirect, form, addresses.resource()));
        } catch (OAuthError e) {
            String link = redirect.with(error(form, e));
            return HtmlPage.response(
                            e.status(), ConsentPage.failed(e.getMessage(), Optional.of(link)), Optional.empty())
                    .build();
        }
    }

    private Map<String, String> error(OAuthForm form, OAuthError error) {
        Map<String, String> answer =
                AuthorizationRequest.answer(form.optional("state").orElse(null), addresses.issuer());
        answer.put("error", error.code());
        answer.put("error_description", error.getMessage());
        return answer;
    }

    private Response page(
            AuthorizationRequest request, OAuthForm form, String key, Optional<String> error, int status) {
        String html =
                ConsentPage.of(request, form, addresses.path("authorize"), FormSeal.over(key, form.request()), error);
        return HtmlPage.response(status, html, Optional.of(request.redirect().source()))
                .header("Set-Cookie", seal.setCookie(key))
                .build();
    }

    /** Without an address of the client that is known to be its own, nothing is sent anywhere. */
    private static Response safely(Call call) {
        try {
            return call.run();
        } catch (OAuthError e) {
            Response.ResponseBuilder page = HtmlPage.response(
                    e.status(), ConsentPage.failed(e.getMessage(), Optional.empty()), Optional.empty());
            e.retryAfter().ifPresent(wait -> page.header("Retry-After", wait.toSeconds()));
            return page.build();
        }
    }

    private static Response redirected(RedirectAddress redirect, Map<String, String> answer) {
        return Response.status(303)
                .header("Location", redirect.with(answer))
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "no-referrer")
                .build();
    }
}
