package svc.auth.mail.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.mail.template.GoTemplate.Form;

/** Promise: mails written for Supabase say here what they say there, and no user's value breaks out of its place. */
class GoTemplateTest {
    private static final JsonNode VARIABLES = json("""
            {"ConfirmationURL": "https://x.example/verify?token=1&type=signup", "Token": "012345", "SiteURL": "https://app.example",
             "RedirectTo": "https://app.example/in?a=b&c", "Email": "ann@example.com", "Huge": 7,
             "Data": {"name": "<b>Ann</b>", "lang": "de", "n": 0, "yes": true, "list": ["a"], "site": "JavaScript:alert(1)",
                      "a b": "odd", "deep": {"er": "in"}, "lines": "a\\r\\nBcc: x@y.z"}}""");

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String html(String template) {
        return GoTemplate.of(template).with(VARIABLES, Form.HTML);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            Hi {{ .Email }}, {{.Token}}! | Hi ann@example.com, 012345!
            {{ .Data.name }} | &lt;b&gt;Ann&lt;/b&gt;
            {{ .Data.deep.er }}{{ .Data.nothing.at.all }}{{ .Nothing }} | in
            {{ index .Data "a b" }} | odd
            {{ if eq .Data.lang "de" }}Hallo{{ else }}Hello{{ end }} | Hallo
            {{ if eq .Data.lang "fr" "it" }}a{{ else if ne .Data.lang "de" }}b{{ else }}c{{ end }} | c
            {{ if .Data.n }}a{{ end }}{{ if .Data.yes }}b{{ end }}{{ if .Data.missing }}c{{ end }}{{ if .Data.list }}d{{ end }} | bd
            {{ if and .Data.yes (not (eq .Data.lang "en")) }}both{{ end }} | both
            {{ or .Data.nickname "friend" }} | friend
            {{ if .Data.yes }}{{ if .Data.n }}x{{ else }}y{{ end }}z{{ end }} | yz
            a {{- .Token -}} b | a012345b
            a {{- " x " -}} b | a x b
            {{/* nobody reads this */}}ok | ok
            {{ `raw "quotes"` }} | raw &#34;quotes&#34;
            <a href="{{ .ConfirmationURL }}">go</a> | <a href="https://x.example/verify?token=1&amp;type=signup">go</a>
            <a href="{{ .SiteURL }}/c?next={{ .RedirectTo }}&x=1">go</a> | <a href="https://app.example/c?next=https%3A%2F%2Fapp.example%2Fin%3Fa%3Db%26c&x=1">go</a>
            <a href='{{ .Data.site }}'>go</a> | <a href='#'>go</a>
            <img alt="{{ .Data.name }}"> | <img alt="&lt;b&gt;Ann&lt;/b&gt;">
            """)
    void itSaysWhatGoWouldSay(String template, String result) {
        assertThat(html(template)).isEqualTo(result);
    }

    @Test
    void aHeaderStaysOneLine() {
        assertThat(GoTemplate.of("Hello {{ .Data.lines }} & <you>\nthere").with(VARIABLES, Form.LINE))
                .isEqualTo("Hello a Bcc: x@y.z & <you> there");
    }

    @Test
    void whatUsersWriteMakesNoMailHuge() {
        JsonNode huge = json("{\"Data\":{\"x\":\"" + "a".repeat(100_000) + "\"}}");
        assertThat(GoTemplate.of("{{ .Data.x }}").with(huge, Form.HTML)).hasSize(4096);
        assertThatThrownBy(() -> GoTemplate.of("{{ .Data.x }}".repeat(2000)).with(huge, Form.HTML))
                .isInstanceOf(TemplateException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ if .A }}",
                "{{ end }}",
                "{{ else }}",
                "{{ range .Data.list }}{{ end }}",
                "{{ template \"x\" }}",
                "{{ define \"x\" }}{{ end }}",
                "{{ printf \"%s\" .A }}",
                "{{ .A | html }}",
                "{{ eq }}",
                "{{ (.A }}",
                "{{ }}",
                "{{ if .A }}{{ else maybe }}{{ end }}",
                "{{ \"open }}"
            })
    void whatMailsDoNotNeedIsRefused(String template) {
        assertThatThrownBy(() -> GoTemplate.of(template)).isInstanceOf(TemplateException.class);
    }

    @Test
    void nestingHasAnEnd() {
        assertThatThrownBy(() -> GoTemplate.of("{{ if .A }}".repeat(2000) + "{{ end }}".repeat(2000)))
                .isInstanceOf(TemplateException.class);
        assertThatThrownBy(() -> GoTemplate.of("{{ " + "(".repeat(2000) + ".A" + ")".repeat(2000) + " }}"))
                .isInstanceOf(TemplateException.class);
    }
}
