package svc.management.mcp.oauth;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.Cookie;
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
    private static final int COOKIE_SECONDS = 600;

    private final OAuthClients clients;
    private final OAuthGrants grants;
    private final OAuthAddresses addresses;
    private final OAuthLimits limits;
    private final TokenAuthentication tokens;

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
    }

    @GET
    @WithoutToken(because = PERSON)
    @Operation(
            operationId = "oauthAuthorize",
            summary = "The page on which a person allows an MCP client",
            hidden = true)
    public Response show(RoutingContext context) {
        return safely(() -> {
            OAuthForm form = OAuthForm.ofQuery(context.request().query());
            return checked(form, request -> page(request, form, ConsentSeal.newKey(), Optional.empty(), 200));
        });
    }

    @POST
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = PERSON)
    @Operation(operationId = "oauthDecide", summary = "The decision of a person about an MCP client", hidden = true)
    public Response decide(byte[] body, RoutingContext context) {
        return safely(() -> {
            limits.countDecision(context);
            OAuthForm form = OAuthForm.ofBody(body);
            Cookie cookie = context.request().getCookie(cookieName());
            String key = cookie == null ? null : cookie.getValue();
            String site = context.request().getHeader("Sec-Fetch-Site");
            if (!ConsentSeal.holds(key, form) || site != null && !site.equals("same-origin")) {
                throw OAuthError.of(
                        OAuthError.INVALID_REQUEST, "The page is too old, or this browser did not open it.");
            }
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
                    form.optional("project_ref").map(String::strip).filter(ref -> !ref.isEmpty()),
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
            return html(e.status(), ConsentPage.failed(e.getMessage(), Optional.of(link)), Optional.empty())
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
        String html = ConsentPage.of(request, form, addresses.path("authorize"), ConsentSeal.over(key, form), error);
        return html(status, html, Optional.of(request.redirect().source()))
                .header(
                        "Set-Cookie",
                        cookieName() + "=" + key + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + COOKIE_SECONDS
                                + (addresses.isSecure() ? "; Secure" : ""))
                .build();
    }

    /** A browser takes the first one from this host alone. */
    private String cookieName() {
        return addresses.isSecure() ? "__Host-svc_oauth" : "svc_oauth";
    }

    /** Without an address of the client that is known to be its own, nothing is sent anywhere. */
    private static Response safely(Call call) {
        try {
            return call.run();
        } catch (OAuthError e) {
            return html(e.status(), ConsentPage.failed(e.getMessage(), Optional.empty()), Optional.empty())
                    .build();
        }
    }

    private static Response redirected(RedirectAddress redirect, Map<String, String> answer) {
        return Response.status(303)
                .header("Location", redirect.with(answer))
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "no-referrer")
                .build();
    }

    private static Response.ResponseBuilder html(int status, String html, Optional<String> target) {
        return Response.status(status)
                .type("text/html;charset=UTF-8")
                .header("Content-Security-Policy", ConsentPage.policy(target))
                .header("X-Frame-Options", "DENY")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-store")
                .entity(html);
    }
}
