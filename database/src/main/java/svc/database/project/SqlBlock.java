package svc.database.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Several steps as one statement: a whole plan costs one round trip and one parse. The server reports the line of a failing
 * statement, from which the failing step is derived.
 *
 * @param sql a DO block; its text contains the steps' secrets and must never be logged, see {@link SqlFragment#printable()}
 * @param firstLines the line within the block on which each step begins, counted from 1
 */
public record SqlBlock(SqlFragment sql, List<String> names, List<Integer> firstLines) {
    private static final SqlTemplate DO = SqlTemplate.of("DO $svc_block$BEGIN\n:{steps}\nEND$svc_block$");
    private static final SqlTemplate SET_ROLE = SqlTemplate.of("SET LOCAL ROLE :\"role\";");
    private static final Pattern LINE = Pattern.compile("inline_code_block line ([0-9]{1,9})");

    public SqlBlock {
        names = List.copyOf(names);
        firstLines = List.copyOf(firstLines);
    }

    /**
     * The steps in order. The caller has the transaction; its role is the operator's before and after the block.
     */
    public static SqlBlock of(List<SqlStep> steps) {
        List<SqlFragment> texts = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        int line = 2;
        SqlStep.As role = SqlStep.As.OPERATOR;
        for (SqlStep step : steps) {
            if (step.sql().sql().contains("$svc_block$")) {
                throw new IllegalArgumentException("step " + step.name() + " would end the block that carries it");
            }
            lines.add(line);
            SqlFragment text = step.sql();
            if (step.as() != role) {
                text = setRole(step.as()).append("\n").append(text);
                role = step.as();
            }
            texts.add(text);
            line += (int) text.sql().chars().filter(c -> c == '\n').count() + 1;
        }
        if (role != SqlStep.As.OPERATOR) {
            texts.add(setRole(SqlStep.As.OPERATOR));
        }
        return new SqlBlock(
                DO.bind(Map.of("steps", SqlFragment.join("\n", texts))),
                steps.stream().map(SqlStep::name).toList(),
                lines);
    }

    private static SqlFragment setRole(SqlStep.As role) {
        return switch (role) {
            case OPERATOR -> SqlFragment.of("RESET ROLE;");
            case COMPANION_OWNER -> SET_ROLE.bind(Map.of("role", PlatformNames.COMPANION_OWNER));
        };
    }

    /**
     * The step that failed in the server.
     *
     * @param where the CONTEXT of the server's error, in English
     */
    public Optional<String> failingStep(String where) {
        Matcher matcher = LINE.matcher(where == null ? "" : where);
        String last = null;
        while (matcher.find()) {
            last = matcher.group(1);
        }
        if (last == null) {
            return Optional.empty();
        }
        int failed = Integer.parseInt(last);
        Optional<String> name = Optional.empty();
        for (int i = 0; i < names.size() && firstLines.get(i) <= failed; i++) {
            name = Optional.of(names.get(i));
        }
        return name;
    }
}
