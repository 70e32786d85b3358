package svc.auth.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.auth.mail.template.GoTemplate;
import svc.auth.mail.template.TemplateException;
import svc.crds.project.auth.MailTemplate;
import svc.crds.project.auth.MailTranslation;
import svc.platform.tenancy.Tenant;

/**
 * Chooses and fills the text of a mail: the project's translation for the user's language, else the project's text, else
 * the platform's. The platform's text also replaces an invalid template, because users wait for the link in the mail.
 */
final class MailTexts {
    private static final Logger LOG = Logger.getLogger(MailTexts.class);

    /** Members of the user metadata with the user's language; the first present one applies. */
    private static final List<String> LANGUAGE = List.of("locale", "language", "lang");

    private MailTexts() {}

    /** @param acceptLanguage the header of the request that the mail is sent for; empty for none */
    static MailText of(Tenant tenant, MailKind kind, JsonNode variables, String acceptLanguage) {
        MailText standard = StandardTexts.of(kind);
        Optional<MailTemplate> own =
                Optional.ofNullable(tenant.auth().templates()).map(kind::of);
        if (own.isEmpty()) {
            return filled(standard, variables);
        }
        Optional<MailTranslation> translated =
                translation(own.get().translations(), languages(variables.path("Data"), acceptLanguage));
        MailText text = new MailText(
                translated
                        .map(MailTranslation::subject)
                        .or(() -> Optional.ofNullable(own.get().subject()))
                        .orElse(standard.subject()),
                translated
                        .map(MailTranslation::body)
                        .or(() -> Optional.ofNullable(own.get().body()))
                        .orElse(standard.html()));
        try {
            return filled(text, variables);
        } catch (TemplateException e) {
            LOG.warnf(
                    "%s: the %s mail has the platform's text, because the project's template is invalid: %s",
                    tenant.ref(), kind.words(), e.getMessage());
            return filled(standard, variables);
        }
    }

    private static MailText filled(MailText text, JsonNode variables) {
        return new MailText(
                GoTemplate.of(text.subject()).with(variables, GoTemplate.Form.LINE),
                GoTemplate.of(text.html()).with(variables, GoTemplate.Form.HTML));
    }

    /** By RFC 4647: {@code de-AT} finds {@code de-AT}, else {@code de}. */
    private static Optional<MailTranslation> translation(List<MailTranslation> translations, String wanted) {
        if (translations.isEmpty() || wanted.isEmpty()) {
            return Optional.empty();
        }
        try {
            String tag = Locale.lookupTag(
                    Locale.LanguageRange.parse(wanted),
                    translations.stream().map(MailTranslation::locale).toList());
            return translations.stream()
                    .filter(one -> one.locale().equalsIgnoreCase(tag))
                    .findFirst();
        } catch (IllegalArgumentException e) {
            // Not a list of languages (RFC 4647).
            return Optional.empty();
        }
    }

    private static String languages(JsonNode data, String acceptLanguage) {
        for (String name : LANGUAGE) {
            String said = data.path(name).asText("");
            if (!said.isBlank() && said.length() <= 35) {
                return said.replace('_', '-').strip();
            }
        }
        return acceptLanguage.length() > 512 ? "" : acceptLanguage;
    }

    /** The variables of Supabase's templates; absent values are empty. */
    static ObjectNode variables(Mailing mailing) {
        ObjectNode variables = JsonNodeFactory.instance.objectNode();
        variables.put("ConfirmationURL", mailing.link());
        variables.put("Token", mailing.code());
        variables.put("TokenHash", mailing.tokenHash());
        variables.put("SiteURL", mailing.site());
        variables.put("RedirectTo", mailing.redirect());
        variables.put("Email", mailing.user().email().orElse(""));
        variables.put("NewEmail", mailing.newEmail());
        variables.set("Data", mailing.user().userMetadata());
        return variables;
    }
}
