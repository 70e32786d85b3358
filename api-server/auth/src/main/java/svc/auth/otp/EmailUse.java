package svc.auth.otp;

import svc.auth.mail.MailKind;
import svc.auth.model.UserTime;
import svc.auth.rows.OneTimeTokens.Type;

/** The uses of a mail with a one-time token. A change of address is not among them: it may need two mails. */
public enum EmailUse {
    SIGN_UP(MailKind.CONFIRMATION, Type.CONFIRMATION, UserTime.CONFIRMATION_SENT, "email/signup"),
    INVITE(MailKind.INVITE, Type.CONFIRMATION, UserTime.CONFIRMATION_SENT, "invite"),
    MAGIC_LINK(MailKind.MAGIC_LINK, Type.RECOVERY, UserTime.RECOVERY_SENT, "magiclink"),
    RECOVERY(MailKind.RECOVERY, Type.RECOVERY, UserTime.RECOVERY_SENT, "recovery"),
    REAUTHENTICATION(MailKind.REAUTHENTICATION, Type.REAUTHENTICATION, UserTime.REAUTHENTICATION_SENT, "otp");

    private final MailKind kind;
    private final Type type;
    private final UserTime sentAt;
    private final String method;

    EmailUse(MailKind kind, Type type, UserTime sentAt, String method) {
        this.kind = kind;
        this.type = type;
        this.sentAt = sentAt;
        this.method = method;
    }

    MailKind kind() {
        return kind;
    }

    Type type() {
        return type;
    }

    /** The time of the last mail of this use. */
    UserTime sentAt() {
        return sentAt;
    }

    /** The method of a PKCE flow, and of its session, as the claim {@code amr} names it. */
    String method() {
        return method;
    }
}
