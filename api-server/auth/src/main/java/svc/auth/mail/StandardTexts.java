package svc.auth.mail;

/** What mails say of which a project says nothing: in English, with the link and, where there is one, the code. */
final class StandardTexts {
    private static final String LINK = """
            <p><a href="{{ .ConfirmationURL }}">%s</a></p>
            """;
    private static final String CODE = """
            <p>Or enter this code: <strong>{{ .Token }}</strong></p>
            """;
    private static final String IGNORE = """
            <p>If you did not ask for this, you can ignore this mail.</p>
            """;

    private StandardTexts() {}

    /** Subject and body, as templates. */
    static MailText of(MailKind kind) {
        return switch (kind) {
            case CONFIRMATION ->
                new MailText(
                        "Confirm your email address",
                        "<h2>Confirm your email address</h2>\n<p>Follow this link to finish your sign-up:</p>\n"
                                + LINK.formatted("Confirm email address") + CODE + IGNORE);
            case INVITE ->
                new MailText(
                        "You have been invited",
                        "<h2>You have been invited</h2>\n<p>You have been invited to create a user on {{ .SiteURL }}."
                                + " Follow this link to accept:</p>\n" + LINK.formatted("Accept the invitation")
                                + CODE + IGNORE);
            case MAGIC_LINK ->
                new MailText(
                        "Your sign-in link",
                        "<h2>Sign in</h2>\n<p>Follow this link to sign in:</p>\n" + LINK.formatted("Sign in") + CODE
                                + IGNORE);
            case RECOVERY ->
                new MailText(
                        "Reset your password",
                        "<h2>Reset your password</h2>\n<p>Follow this link to choose a new password:</p>\n"
                                + LINK.formatted("Reset password") + CODE + IGNORE);
            case EMAIL_CHANGE ->
                new MailText(
                        "Confirm your new email address",
                        "<h2>Confirm the change of your email address</h2>\n<p>Follow this link to confirm the change"
                                + "{{ if .Email }} from {{ .Email }}{{ end }} to {{ .NewEmail }}:</p>\n"
                                + LINK.formatted("Confirm the change") + CODE + IGNORE);
            case REAUTHENTICATION ->
                new MailText(
                        "{{ .Token }} is your code",
                        "<h2>Confirm that it is you</h2>\n<p>Enter this code: <strong>{{ .Token }}</strong></p>\n"
                                + IGNORE);
        };
    }
}
