package svc.management.function;

import static svc.management.page.HtmlPage.escaped;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import svc.management.page.HtmlPage;

/** The page on which a person enters the value of a secret. It runs no script and never shows a value again. Pure. */
final class SecretEntryPage {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private SecretEntryPage() {}

    /**
     * @param link the random part of the address
     * @param action where the form is sent
     * @param error what the person did wrong; empty for a page that is shown first
     */
    static String of(SecretEntry entry, String link, String action, String seal, Optional<String> error) {
        return HtmlPage.of("Enter " + entry.name(), """
                <h1>Enter the secret <code>%s</code></h1>
                <p>The client <q>%s</q> asks for it, for all edge functions of the project <code>%s</code>. %s Do not go on if
                you did not ask for this.</p>
                %s
                <form method="post" action="%s">
                %s%s
                <label>Value <textarea name="value" rows="4" required autocomplete="off" autocapitalize="off"
                 spellcheck="false"></textarea></label>
                <p>The client never sees it, and it cannot be read again. A line break at its end is left out.</p>
                <label>Personal access token <input type="password" name="token" required autocomplete="off"
                 placeholder="svc_pat_…"></label>
                <p>It has to be of the organisation that owns the project: so a link of a stranger stores nothing in the stranger's
                project. It is not kept.</p>
                <button>Store</button>
                </form>
                <p>This page works once, until %s.</p>
                """.formatted(
                        escaped(entry.name()),
                        escaped(entry.client()),
                        escaped(entry.ref()),
                        entry.replaces() ? "If it exists, its value is replaced." : "It must not exist yet.",
                        HtmlPage.alert(error),
                        escaped(action),
                        HtmlPage.hidden("request", link),
                        HtmlPage.hidden("seal", seal),
                        TIME.format(entry.expiresAt())));
    }

    static String stored(SecretEntry entry) {
        return HtmlPage.of(
                "Stored",
                "<h1>Stored</h1>\n<p>Functions of the project <code>" + escaped(entry.ref())
                        + "</code> read it as <code>" + escaped(entry.name())
                        + "</code>. You can close this page and return to your client.</p>\n");
    }

    /** A page that says why nothing can be entered. */
    static String closed(String what) {
        return HtmlPage.of(
                "Nothing to enter",
                "<h1>Nothing to enter</h1>\n" + HtmlPage.alert(Optional.of(what))
                        + "\n<p>Ask your client for another link.</p>\n");
    }
}
