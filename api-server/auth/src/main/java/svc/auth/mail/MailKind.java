package svc.auth.mail;

import java.util.function.Function;
import svc.crds.project.auth.MailTemplate;
import svc.crds.project.auth.MailTemplates;

/** GoTrue's kinds of mails. */
public enum MailKind {
    CONFIRMATION("signup", "confirmation", MailTemplates::confirmation),
    INVITE("invite", "invite", MailTemplates::invite),
    MAGIC_LINK("magiclink", "magic link", MailTemplates::magicLink),
    RECOVERY("recovery", "recovery", MailTemplates::recovery),
    EMAIL_CHANGE("email_change", "email change", MailTemplates::emailChange),
    REAUTHENTICATION("reauthentication", "reauthentication", MailTemplates::reauthentication);

    private final String action;
    private final String words;
    private final Function<MailTemplates, MailTemplate> template;

    MailKind(String action, String words, Function<MailTemplates, MailTemplate> template) {
        this.action = action;
        this.words = words;
        this.template = template;
    }

    /** The type in links and hooks. */
    public String action() {
        return action;
    }

    /** The name in messages. */
    String words() {
        return words;
    }

    /** The project's template; null without one. */
    MailTemplate of(MailTemplates templates) {
        return template.apply(templates);
    }
}
