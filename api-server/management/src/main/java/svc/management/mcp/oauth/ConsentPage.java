package svc.management.mcp.oauth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/** The page on which a person allows a client. It runs no script and loads nothing. Pure. */
final class ConsentPage {
    private static final String STYLE = """
            body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
            label{display:block;margin:1rem 0}input[type=password],input[type=text]{width:100%;padding:.5rem;box-sizing:border-box}
            button{padding:.5rem 1.5rem;margin-right:1rem}[role=alert]{color:#b00020}code{overflow-wrap:anywhere}""";

    private ConsentPage() {}

    /** @param error what the person did wrong; empty for a page that is shown first */
    static String of(AuthorizationRequest request, OAuthForm form, String action, String seal, Optional<String> error) {
        var fields = new StringBuilder();
        for (String name : AuthorizationRequest.PARAMETERS) {
            form.optional(name).ifPresent(value -> fields.append(hidden(name, value)));
        }
        return page("Allow " + request.client().name(), """
                <h1>Allow <q>%s</q>?</h1>
                <p>The application gives itself this name. It wants to use your projects, and your browser returns to
                <code>%s</code>. Do not go on if you did not begin this.</p>
                %s
                <form method="post" action="%s">
                %s%s
                <label>Personal access token <input type="password" name="token" autocomplete="off" placeholder="svc_pat_…"></label>
                <p>The application never sees it. It gets a token of its own with the rights of yours to run SQL, to change
                projects and to deploy functions, which ends with yours.</p>
                <label>Only this project (its ref; empty for all) <input type="text" name="project_ref" maxlength="8"
                 autocomplete="off"></label>
                <label><input type="checkbox" name="read_only" value="true"%s> It may only read</label>
                <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
                </form>
                """.formatted(
                escaped(request.client().name()),
                escaped(request.redirect().shown()),
                error.map(text -> "<p role=\"alert\">" + escaped(text) + "</p>").orElse(""),
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
        return page(
                "Sign-in failed",
                "<h1>Sign-in failed</h1>\n<p role=\"alert\">" + escaped(what) + "</p>\n"
                        + link.map(address -> "<p><a rel=\"noreferrer\" href=\"" + escaped(address)
                                        + "\">Return to the application</a></p>\n")
                                .orElse("<p>Begin again in the application.</p>\n"));
    }

    /** @param target where forms lead beside this server, since browsers check what a form redirects to; empty for none */
    static String policy(Optional<String> target) {
        return "default-src 'none'; style-src 'sha256-" + styleHash() + "'; form-action 'self'"
                + target.map(source -> " " + source).orElse("") + "; frame-ancestors 'none'; base-uri 'none'";
    }

    private static String page(String title, String body) {
        return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + escaped(title)
                + "</title>\n<style>" + STYLE + "</style>\n" + body + "</html>\n";
    }

    private static String hidden(String name, String value) {
        return "<input type=\"hidden\" name=\"" + name + "\" value=\"" + escaped(value) + "\">\n";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String styleHash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(STYLE.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
