package svc.management.mcp.oauth;

import static svc.management.page.HtmlPage.escaped;
import static svc.management.page.HtmlPage.hidden;

import java.util.Optional;
import svc.management.page.HtmlPage;

/** The page on which a person allows a client. It runs no script and loads nothing. Pure. */
final class ConsentPage {
    private ConsentPage() {}

    /** @param error what the person did wrong; empty for a page that is shown first */
    static String of(AuthorizationRequest request, OAuthForm form, String action, String seal, Optional<String> error) {
        var fields = new StringBuilder();
        for (String name : AuthorizationRequest.PARAMETERS) {
            form.optional(name).ifPresent(value -> fields.append(hidden(name, value)));
        }
        return HtmlPage.of("Allow " + request.client().name(), """
                <h1>Allow <q>%s</q>?</h1>
                <p>The application gives itself this name. It wants to use your projects, and your browser returns to
                <code>%s</code>. Do not go on if you did not begin this.</p>
                %s
                <form method="post" action="%s">
                %s%s
                <label>Personal access token <input type="password" name="token" autocomplete="off" placeholder="svc_pat_…"></label>
                <p>The application never sees it. It gets a token of its own with the rights of yours to run SQL, to change
                projects and to deploy functions, which ends with yours.</p>
                <label>Only this project (its ref; empty for all) <input type="text" name="project_ref" maxlength="20"
                 autocomplete="off"></label>
                <label><input type="checkbox" name="read_only" value="true"%s> It may only read</label>
                <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
                </form>
                """.formatted(
                        escaped(request.client().name()),
                        escaped(request.redirect().shown()),
                        HtmlPage.alert(error),
                        escaped(action),
                        fields,
                        hidden("seal", seal),
                        request.readOnly() ? " checked" : ""));
    }

    /**
     * A page that says why a sign-in goes no further.
     *
     * @param link back to the client; empty where its address is not known to be its own
     */
    static String failed(String what, Optional<String> link) {
        return HtmlPage.of(
                "Sign-in failed",
                "<h1>Sign-in failed</h1>\n" + HtmlPage.alert(Optional.of(what)) + "\n"
                        + link.map(address -> "<p><a rel=\"noreferrer\" href=\"" + escaped(address)
                                        + "\">Return to the application</a></p>\n")
                                .orElse("<p>Begin again in the application.</p>\n"));
    }
}
