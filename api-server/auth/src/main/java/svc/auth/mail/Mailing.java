package svc.auth.mail;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A mail that is to be sent.
 *
 * @param to address
 * @param user as clients see users
 * @param code to type in
 * @param tokenHash what stands in the link
 * @param link to follow, whole; empty for a mail without one
 * @param site the project's
 * @param redirect where the link leads in the end
 * @param newEmail the address that a change is to; empty otherwise
 */
public record Mailing(
        MailKind kind,
        String to,
        JsonNode user,
        String code,
        String tokenHash,
        String link,
        String site,
        String redirect,
        String newEmail) {
    /** Neither code nor link is for logs. */
    @Override
    public String toString() {
        return "Mailing[" + kind + "]";
    }
}
