package svc.server.management.query.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the steps of a file. Pure. */
final class CorpusFile {
    private static final Pattern DIRECTIVE =
            Pattern.compile("-- (next call$|run again$|sign up |delete user |expect: |expect as |refused: ).*");
    private static final Pattern SIGN_UP = Pattern.compile("sign up (\\d+) (\\S+)(?: (\\{.*}))?");
    private static final Pattern DELETION = Pattern.compile("delete user (\\d+)");
    private static final Pattern FAILURE = Pattern.compile("expect: (.*) => error ([0-9A-Z]{5})");
    private static final Pattern ROWS = Pattern.compile("expect: (.*) => (.+?)");
    private static final Pattern REST = Pattern.compile(
            "expect as (anon|service|user \\d+): ([A-Z]+) (\\S+)(?: ([\\[{].*))? => (\\d{3})(?: (.+))?");
    private static final Pattern REFUSAL = Pattern.compile("refused: (\\w+), hint \"(.*)\"");
    private static final String CONTINUED = "--    ";

    private final String[] lines;
    private final List<CorpusStep> steps = new ArrayList<>();
    private final StringBuilder sql = new StringBuilder();
    private int began;

    private CorpusFile(String text) {
        this.lines = text.split("\n", -1);
    }

    /** @throws IllegalArgumentException naming the line of a directive that cannot be read */
    static List<CorpusStep> steps(String text) {
        return new CorpusFile(text).read();
    }

    private List<CorpusStep> read() {
        for (int i = 0; i < lines.length; i++) {
            if (!DIRECTIVE.matcher(lines[i]).matches()) {
                if (sql.isEmpty()) {
                    began = i + 1;
                }
                sql.append(lines[i]).append('\n');
                continue;
            }
            int line = i + 1;
            StringBuilder directive = new StringBuilder(lines[i].substring(3));
            while (i + 1 < lines.length && lines[i + 1].startsWith(CONTINUED)) {
                directive.append(' ').append(lines[++i].substring(2).strip());
            }
            endCall();
            add(line, directive.toString().strip());
        }
        endCall();
        return List.copyOf(steps);
    }

    /** Comments alone are no call: a file's title belongs to the SQL that follows. */
    private void endCall() {
        boolean statements =
                sql.toString().lines().map(String::strip).anyMatch(line -> !line.isEmpty() && !line.startsWith("--"));
        if (statements) {
            steps.add(new CorpusStep.Call(began, sql.toString()));
        }
        sql.setLength(0);
    }

    private void add(int line, String text) {
        Matcher refusal = REFUSAL.matcher(text);
        if (text.equals("next call")) {
            return;
        }
        if (text.equals("run again")) {
            steps.add(new CorpusStep.Call(line, lastCall(line).sql()));
        } else if (refusal.matches() && !steps.isEmpty() && steps.getLast() instanceof CorpusStep.Call call) {
            steps.removeLast();
            steps.add(new CorpusStep.Refusal(line, call, refusal.group(1), refusal.group(2)));
        } else {
            steps.add(promise(line, text));
        }
    }

    private static CorpusStep promise(int line, String text) {
        Matcher signUp = SIGN_UP.matcher(text);
        if (signUp.matches()) {
            String metadata = signUp.group(3) == null ? "{}" : signUp.group(3);
            return new CorpusStep.SignUp(line, Integer.parseInt(signUp.group(1)), signUp.group(2), metadata);
        }
        Matcher deletion = DELETION.matcher(text);
        if (deletion.matches()) {
            return new CorpusStep.UserDeletion(line, Integer.parseInt(deletion.group(1)));
        }
        Matcher rest = REST.matcher(text);
        if (rest.matches()) {
            return new CorpusStep.Rest(
                    line,
                    rest.group(1),
                    rest.group(2),
                    rest.group(3),
                    orEmpty(rest.group(4)),
                    Integer.parseInt(rest.group(5)),
                    orEmpty(rest.group(6)));
        }
        Matcher failure = FAILURE.matcher(text);
        if (failure.matches()) {
            return new CorpusStep.Failure(line, failure.group(1), failure.group(2));
        }
        Matcher rows = ROWS.matcher(text);
        if (rows.matches()) {
            return new CorpusStep.Rows(line, rows.group(1), rows.group(2));
        }
        throw new IllegalArgumentException("line " + line + " is no directive: " + text);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private CorpusStep.Call lastCall(int line) {
        return steps.reversed().stream()
                .filter(CorpusStep.Call.class::isInstance)
                .map(CorpusStep.Call.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("line " + line + ": nothing was run yet"));
    }
}
