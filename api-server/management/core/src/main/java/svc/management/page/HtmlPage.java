package svc.management.page;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/** A page that runs no script, loads nothing and stands in no frame. */
public final class HtmlPage {
    private static final String STYLE = """
            body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
            label{display:block;margin:1rem 0}input[type=password],input[type=text],textarea{width:100%;padding:.5rem;box-sizing:border-box}
            button{padding:.5rem 1.5rem;margin-right:1rem}[role=alert]{color:#b00020}code{overflow-wrap:anywhere}""";

    private HtmlPage() {}

    /** @param body HTML in which values of others are {@link #escaped} */
    public static String of(String title, String body) {
        return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + escaped(title)
                + "</title>\n<style>" + STYLE + "</style>\n" + body + "</html>\n";
    }

    /** @param target where forms lead beside this server, since browsers check what a form redirects to; empty for none */
    public static Response.ResponseBuilder response(int status, String html, Optional<String> target) {
        return Response.status(status)
                .type("text/html;charset=UTF-8")
                .header("Content-Security-Policy", policy(target))
                .header("X-Frame-Options", "DENY")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-store")
                .entity(html);
    }

    /** No script of another origin reads a page for a person, whatever other answers of this host allow. */
    public static void notForScripts(RoutingContext context) {
        context.response().headers().remove("access-control-allow-origin").remove("access-control-expose-headers");
    }

    private static String policy(Optional<String> target) {
        return "default-src 'none'; style-src 'sha256-" + styleHash() + "'; form-action 'self'"
                + target.map(source -> " " + source).orElse("") + "; frame-ancestors 'none'; base-uri 'none'";
    }

    /** A paragraph that a screen reader reads out at once; empty for none. */
    public static String alert(Optional<String> text) {
        return text.map(what -> "<p role=\"alert\">" + escaped(what) + "</p>").orElse("");
    }

    public static String hidden(String name, String value) {
        return "<input type=\"hidden\" name=\"" + name + "\" value=\"" + escaped(value) + "\">\n";
    }

    public static String escaped(String text) {
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
