package svc.auth.mail;

/** A mail was not sent. */
public final class MailFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Cause why;

    MailFailedException(Cause why, Throwable cause) {
        super(why.message, cause);
        this.why = why;
    }

    /** The cause, in a message for any client: without names and addresses of servers. */
    public enum Cause {
        NOT_CONFIGURED(
                "no mail server is configured: set spec.auth.smtp of the Project, or svc.mail.* of the platform, or let"
                        + " addresses count at once by spec.auth.email.autoconfirm"),
        NO_PASSWORD("the Secret that spec.auth.smtp.passwordSecretRef names, or its key, is not there"),
        REFUSED_ADDRESS("the mail server's address is not public, see spec.auth.smtp.host"),
        UNREACHABLE("the mail server cannot be reached"),
        INSECURE("the mail server offers no TLS, or its certificate is not one of its name"),
        LOGIN("the mail server refused the login of spec.auth.smtp"),
        SENDER("the mail server does not take mails from the address of spec.auth.smtp.from"),
        RECIPIENT("the mail server does not take mails to this address"),
        ALPHABET("the mail server takes no addresses with letters beyond ASCII"),
        REJECTED("the mail server did not take the mail"),
        TOO_SLOW("the mail server took too long"),
        TOO_MUCH("the mail server sends more than a conversation needs"),
        BUSY("too many mails are being sent at this moment");

        private final String message;

        Cause(String message) {
            this.message = message;
        }
    }

    public Cause why() {
        return why;
    }
}
