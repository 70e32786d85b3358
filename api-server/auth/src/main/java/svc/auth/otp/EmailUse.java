package svc.auth.otp;

import svc.auth.mail.MailKind;
import svc.auth.rows.OneTimeTokens.Type;

/** What a mail with a one-time token to one address is for. A change of address is none: it may take two. */
public enum EmailUse {
    SIGN_UP(MailKind.CONFIRMATION, Type.CONFIRMATION, "confirmation_sent_at", "email/signup"),
    INVITE(MailKind.INVITE, Type.CONFIRMATION, "confirmation_sent_at", "invite"),
    MAGIC_LINK(MailKind.MAGIC_LINK, Type.RECOVERY, "recovery_sent_at", "magiclink"),
    RECOVERY(MailKind.RECOVERY, Type.RECOVERY, "recovery_sent_at", "recovery"),
    REAUTHENTICATION(MailKind.REAUTHENTICATION, Type.REAUTHENTICATION, "reauthentication_sent_at", "otp");

    private final MailKind kind;
    private final Type type;
    private final String sentAt;
    private final String method;

    EmailUse(MailKind kind, Type type, String sentAt, String method) {
        this.kind = kind;
        this.type = type;
        this.sentAt = sentAt;
        this.method = method;
    }

    public MailKind kind() {
        return kind;
    }

    public Type type() {
        return type;
    }

    /** The column of users that says when the last one was sent. */
    public String sentAt() {
        return sentAt;
    }

    /** What the claim {@code amr} says of a session that a flow of this use ends in. */
    public String method() {
        return method;
    }
}
