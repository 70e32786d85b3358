package svc.auth.mail;

import svc.auth.model.User;

/**
 * A mail before its text is chosen.
 *
 * @param to address
 * @param code for the user to type
 * @param tokenHash the secret in the link
 * @param link the whole address; empty for a mail without one
 * @param site the project's site
 * @param redirect the final redirect of the link
 * @param newEmail the new address of a change; empty otherwise
 */
public record Mailing(
        MailKind kind,
        String to,
        User user,
        String code,
        String tokenHash,
        String link,
        String site,
        String redirect,
        String newEmail) {
    /** Without code and link. */
    @Override
    public String toString() {
        return "Mailing[" + kind + "]";
    }
}
