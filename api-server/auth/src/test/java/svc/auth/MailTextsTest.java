package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.mail.MailForTests;
import svc.embedded.mail.CaughtMail;
import svc.testing.TestingProjects;

/** Promise: mails say what the project wrote, in the user's language, and nothing that a user wrote breaks out of its place. */
class MailTextsTest {
    private static final MailForTests MAILS = MailForTests.open();
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create(), MAILS);

    static {
        AUTH.project("text2345", """
                {"siteUrl":"https://app.example.com","rateLimits":{"emailsPerHour":1000},"templates":{
                 "confirmation":{"subject":"Welcome {{ .Data.name }}","body":"<p title=\\"{{ .Data.name }}\\">{{ .Data.name }}: {{ .Token }} {{ .Email }} {{ .SiteURL }}</p><a href=\\"{{ .SiteURL }}/confirm?token_hash={{ .TokenHash }}&amp;next={{ .RedirectTo }}\\">go</a>",
                   "translations":[{"locale":"de","subject":"Willkommen {{ .Data.name }}","body":"<p>Hallo</p>"},{"locale":"pt-BR","subject":"Bem-vindo"}]},
                 "recovery":{"subject":"Reset","body":"{{ range .Data }}{{ end }}"}}}""");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static CaughtMail mail(String email, String data, String language) {
        AUTH.call(
                "text2345",
                "POST",
                "/signup",
                null,
                "{\"email\":\"" + email + "\",\"password\":\"correct horse\",\"data\":" + data + "}",
                Map.of("Accept-Language", language));
        return MAILS.inbox().to(email).getFirst();
    }

    @Test
    void theProjectsOwnTextIsFilled() {
        CaughtMail mail = mail("ann@example.com", "{\"name\":\"Ann\"}", "en");
        assertThat(mail.subject()).isEqualTo("Welcome Ann");
        assertThat(mail.html())
                .contains("<p title=\"Ann\">Ann: ")
                .contains(" ann@example.com https://app.example.com</p>");
        assertThat(mail.links().getFirst())
                .startsWith("https://app.example.com/confirm?token_hash=")
                .endsWith("&next=https%3A%2F%2Fapp.example.com");
    }

    @Test
    void theUsersLanguageIsSpokenWhereTheProjectSpeaksIt() {
        assertThat(mail("bob@example.com", "{\"name\":\"Bob\",\"locale\":\"de_AT\"}", "en")
                        .subject())
                .isEqualTo("Willkommen Bob");
        assertThat(mail("cat@example.com", "{\"name\":\"Cat\"}", "fr-FR, de;q=0.8")
                        .subject())
                .isEqualTo("Willkommen Cat");
        CaughtMail part = mail("dan@example.com", "{\"name\":\"Dan\",\"locale\":\"pt-BR\"}", "de");
        assertThat(part.subject()).isEqualTo("Bem-vindo");
        assertThat(part.html()).as("what a translation lacks").contains("Dan: ");
        assertThat(mail("eve@example.com", "{\"name\":\"Eve\",\"locale\":\"ja\"}", "de")
                        .subject())
                .isEqualTo("Welcome Eve");
        assertThat(mail("fay@example.com", "{\"name\":\"Fay\"}", ";;q=no").subject())
                .isEqualTo("Welcome Fay");
    }

    @Test
    void whatAUserWroteStaysInItsPlace() {
        String before = "a\\r\\nBcc: victim@example.com\\r\\n\\r\\n<script>x</script>\\u2028\\\"><img src=x>";
        CaughtMail mail = mail("gil@example.com", "{\"name\":\"" + before + "\"}", "en");
        assertThat(mail.subject()).startsWith("Welcome a Bcc: victim@example.com");
        String headers = mail.raw().substring(0, mail.raw().indexOf("\r\n\r\n"));
        assertThat(headers.lines())
                .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("bcc"));
        assertThat(mail.html()).doesNotContain("<script>").doesNotContain("<img");
        assertThat(MAILS.inbox().to("victim@example.com")).isEmpty();
    }

    @Test
    void aTextThatCannotBeReadGivesWayToThePlatforms() {
        mail("hal@example.com", "{}", "en");
        AUTH.post("text2345", "/recover", "{\"email\":\"hal@example.com\"}");
        CaughtMail mail = MAILS.inbox().to("hal@example.com").getFirst();
        assertThat(mail.subject()).isEqualTo("Reset your password");
        assertThat(mail.links().getFirst()).contains("type=recovery");
    }
}
