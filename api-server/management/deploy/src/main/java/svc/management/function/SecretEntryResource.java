package svc.management.function;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.management.page.FormFault;
import svc.management.page.FormFields;
import svc.management.page.FormPaths;
import svc.management.page.FormSeal;
import svc.management.page.HtmlPage;
import svc.management.page.NetworkLimit;
import svc.management.token.WithoutToken;
import svc.platform.config.ApiConfig;
import svc.platform.problem.ProblemException;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;

/** {@code /v1/secret-entry}: the page to which the tool {@code create_edge_function_secret} sends a person. */
@Path(FormPaths.SECRET_ENTRY)
@RunOnVirtualThread
public class SecretEntryResource {
    private static final String PERSON = "a person proves by a token in the form that the project is theirs";
    private static final String LINK = "request";

    /** Of a link's hash, in the name of its cookie. */
    private static final int NAME_BYTES = 8;

    private final SecretEntries entries;
    private final SecretEntryForms forms;
    private final NetworkLimit posts;
    private final boolean secure;
    private final String action;

    SecretEntryResource(SecretEntries entries, SecretEntryForms forms, NetworkLimit.Factory limits, ApiConfig config) {
        this.entries = entries;
        this.forms = forms;
        this.posts = limits.of(new RateLimit.Rule("secret.entry", 30, Duration.ofMinutes(1)));
        URI address = URI.create(SecretEntryResource.address(config));
        this.secure = "https".equals(address.getScheme());
        this.action = address.getRawPath();
    }

    /** The public address of the page. */
    static String address(ApiConfig config) {
        return config.hosts().baseUrl() + FormPaths.SECRET_ENTRY.substring("/v1".length());
    }

    @GET
    @WithoutToken(because = PERSON)
    @Operation(
            operationId = "secretEntry",
            summary = "The page on which a person enters the value of a secret",
            hidden = true)
    public Response show(RoutingContext context) {
        HtmlPage.notForScripts(context);
        return answered(
                () -> FormFields.ofQuery(context.request().query()),
                (entry, form) -> page(entry, form, FormSeal.newKey(), Optional.empty(), 200));
    }

    @POST
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = PERSON)
    @Operation(operationId = "enterSecret", summary = "The value that a person entered", hidden = true)
    public Response enter(byte[] body, RoutingContext context) {
        HtmlPage.notForScripts(context);
        RateDecision decision = posts.count(context);
        if (!decision.allowed()) {
            String page =
                    SecretEntryPage.closed("Too many requests of this kind come from this address. Try again later.");
            return HtmlPage.response(429, page, Optional.empty())
                    .header("Retry-After", decision.resetSeconds())
                    .build();
        }
        return answered(() -> FormFields.ofBody(body), (entry, form) -> {
            Optional<String> key = seal(entry).senderKey(context, List.of(link(form)), form.optional("seal"));
            if (key.isEmpty()) {
                return closed(400, "The page is too old, or this browser did not open it.");
            }
            try {
                forms.store(entry, form, context);
                return HtmlPage.response(200, SecretEntryPage.stored(entry), Optional.empty())
                        .build();
            } catch (ProblemException e) {
                return page(
                        entry,
                        form,
                        key.get(),
                        Optional.of(e.problem().detail()),
                        e.problem().code().status());
            }
        });
    }

    @FunctionalInterface
    private interface Fields {
        FormFields read();
    }

    @FunctionalInterface
    private interface Step {
        Response apply(SecretEntry entry, FormFields form);
    }

    private static String link(FormFields form) {
        return form.optional(LINK).orElse("");
    }

    /** Runs a step for a link that is open. */
    private Response answered(Fields fields, Step step) {
        FormFields form;
        try {
            form = fields.read();
        } catch (FormFault e) {
            return closed(400, e.getMessage());
        }
        Optional<SecretEntry> entry = entries.find(link(form));
        if (entry.isEmpty()) {
            return closed(404, "There is no such link any more.");
        }
        if (entry.get().usedAt().isPresent()) {
            return closed(410, "This link was used already.");
        }
        if (!entry.get().isOpen(entries.now())) {
            return closed(410, "This link is too old, or the token of the client that asked for it has ended.");
        }
        return step.apply(entry.get(), form);
    }

    private Response page(SecretEntry entry, FormFields form, String key, Optional<String> error, int status) {
        String link = link(form);
        String html = SecretEntryPage.of(entry, link, action, FormSeal.over(key, List.of(link)), error);
        return HtmlPage.response(status, html, Optional.empty())
                .header("Set-Cookie", seal(entry).setCookie(key))
                .build();
    }

    /** With a cookie of its own: an agent asks for several secrets, whose pages are open at the same time. */
    private FormSeal seal(SecretEntry entry) {
        return new FormSeal("svc_secret_" + HexFormat.of().formatHex(entry.hash(), 0, NAME_BYTES), secure);
    }

    private static Response closed(int status, String what) {
        return HtmlPage.response(status, SecretEntryPage.closed(what), Optional.empty())
                .build();
    }
}
