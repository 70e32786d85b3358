package svc.database.project;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import svc.database.sql.SqlFragment;

/**
 * SQL that provides facts; idempotent.
 *
 * @param name for logs, Events and errors; never contains a value
 * @param answers the step runs when one of these facts is missing
 * @param provides the facts after the step, including {@code answers}; later steps for them are skipped
 * @param as the role that runs it; {@link SqlBlock} changes the role between steps
 * @param sql statements, each ended by a semicolon
 */
public record SqlStep(String name, Set<Fact> answers, Set<Fact> provides, As as, SqlFragment sql) {
    /** The role that runs a step. */
    public enum As {
        /** The provisioning login. */
        OPERATOR,
        /** The owner of companions: creating an object as its owner avoids a later change of owner, which writes its row twice. */
        COMPANION_OWNER
    }

    public SqlStep {
        answers = Set.copyOf(answers);
        provides = Set.copyOf(provides);
        requireNonNull(as, "as is null");
        if (!provides.containsAll(answers)) {
            throw new IllegalArgumentException("step " + name + " answers what it does not provide");
        }
    }

    /** A step of the operator. */
    public SqlStep(String name, Set<Fact> answers, Set<Fact> provides, SqlFragment sql) {
        this(name, answers, provides, As.OPERATOR, sql);
    }

    /** A step of the operator that provides exactly what it answers. */
    public static SqlStep of(String name, Set<Fact> facts, SqlFragment sql) {
        return new SqlStep(name, facts, facts, sql);
    }
}
