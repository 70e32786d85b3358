package svc.embedded.mail;

import java.util.List;
import java.util.stream.Collectors;

/** The HTML of the mail page. Pure: same mails, same text. */
final class MailPageText {
    private static final String HEAD = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Mails</title>
            <style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222}
            table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}
            iframe{width:100%;height:24rem;border:1px solid #ccc}dt{font-weight:600}li{overflow-wrap:anywhere}</style>
            """;

    private MailPageText() {}

    static String list(List<CaughtMail> mails) {
        if (mails.isEmpty()) {
            return HEAD
                    + "<h1>Mails</h1><p>None yet. Mails of projects without an SMTP server of their own arrive here, and are"
                    + " not delivered.</p>";
        }
        String rows = mails.stream()
                .map(mail -> "<tr><td>" + escaped(mail.at().toString().replaceFirst("\\..*", "Z")) + "<td>"
                        + escaped(mail.to()) + "<td><a href=\"/mails/" + mail.number() + "\">"
                        + escaped(mail.subject().isBlank() ? "(no subject)" : mail.subject()) + "</a>")
                .collect(Collectors.joining("\n"));
        return HEAD + "<h1>Mails</h1><table><tr><th>At<th>To<th>Subject\n" + rows + "</table>";
    }

    static String one(CaughtMail mail) {
        String links = mail.links().stream()
                .filter(link -> link.startsWith("http://") || link.startsWith("https://"))
                .map(link ->
                        "<li><a rel=\"noreferrer noopener\" href=\"" + escaped(link) + "\">" + escaped(link) + "</a>")
                .collect(Collectors.joining("\n"));
        return HEAD + "<p><a href=\"/\">All mails</a></p><h1>" + escaped(mail.subject()) + "</h1><dl><dt>From<dd>"
                + escaped(mail.from()) + "<dt>To<dd>" + escaped(mail.to()) + "<dt>At<dd>"
                + escaped(mail.at().toString()) + "</dl>"
                + "<iframe sandbox=\"allow-popups allow-popups-to-escape-sandbox\" referrerpolicy=\"no-referrer\" src=\"/mails/"
                + mail.number() + "/body\"></iframe>" + (links.isEmpty() ? "" : "<h2>Links</h2><ul>" + links + "</ul>");
    }

    /** Unescaped: the Content-Security-Policy of the response makes it harmless. */
    static String body(CaughtMail mail) {
        return "<base target=\"_blank\">" + mail.html();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&#34;")
                .replace("'", "&#39;");
    }
}
