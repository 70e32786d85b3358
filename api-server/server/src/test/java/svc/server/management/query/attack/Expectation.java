package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import svc.platform.problem.ProblemCode;
import svc.testing.Http;

/**
 * What is to come of a call, as one of several words parted by {@code |}: {@code ok} runs; {@code refused} is any refusal;
 * {@code gate} is a refusal before anything ran; {@code harmless} runs or is refused; a problem's code or a SQLSTATE is that
 * refusal. Whatever it says, a fault of the server is a hole.
 */
record Expectation(List<String> words) {
    private static final List<ProblemCode> OF_THE_GATE = List.of(
            ProblemCode.SQL_UNPARSEABLE,
            ProblemCode.SQL_FORBIDDEN_STATEMENT,
            ProblemCode.SQL_FORBIDDEN_OBJECT,
            ProblemCode.SQL_TOO_LARGE);

    static Expectation of(String text) {
        return new Expectation(Arrays.asList(text.split("\\|")));
    }

    /** Whether the answer says that nothing was sent to the database. */
    static boolean stoppedBeforeItRan(Http.Answer answer) {
        if (answer.status() == 201) {
            return false;
        }
        ProblemCode code = ProblemCode.valueOf(answer.code().toUpperCase(Locale.ROOT));
        // What is forbidden at a place in the text was seen there; without one it showed when the script had run.
        return OF_THE_GATE.contains(code) && answer.json().has("line")
                || code == ProblemCode.MALFORMED_JSON
                || code == ProblemCode.INVALID_BODY;
    }

    void check(Http.Answer answer, String what) {
        assertThat(answer.status() < 500 || refusedForNow(answer))
                .as(() -> "a fault, after " + what + "\n" + shortened(answer))
                .isTrue();
        JsonNode body = answer.json();
        assertThat(words)
                .as(() -> "what comes of " + what + "\n" + shortened(answer))
                .anyMatch(word -> meets(word, answer.status(), body));
    }

    /** Where it is expected by that name. */
    private boolean refusedForNow(Http.Answer answer) {
        return words.contains("unavailable") && answer.status() == 503;
    }

    private static boolean meets(String word, int status, JsonNode body) {
        boolean ran = status == 201;
        if (ran) {
            return word.equals("ok") || word.equals("harmless");
        }
        ProblemCode code = ProblemCode.valueOf(body.path("code").asText().toUpperCase(Locale.ROOT));
        return switch (word) {
            case "ok" -> false;
            case "refused", "harmless" -> true;
            case "gate" -> OF_THE_GATE.contains(code);
            default ->
                word.equals(code.wire()) || word.equals(body.path("sqlstate").asText());
        };
    }

    private static String shortened(Http.Answer answer) {
        String text = answer.status() + " " + answer.text();
        return text.length() > 2000 ? text.substring(0, 2000) + "…" : text;
    }
}
