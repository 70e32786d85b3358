package svc.database.project;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import svc.database.sql.SqlFragment;

/**
 * SQL that makes facts true, and may be run again on a database where some of them are true already.
 *
 * @param name for logs, events and errors: says what, never holds a value
 * @param answers the step is taken when one of these is missing
 * @param provides what is true afterwards, {@code answers} included; a later step for one of these is then not needed
 * @param as with whose rights; {@link SqlBlock} changes the role where two steps differ
 * @param sql statements, each ended by a semicolon
 */
public record SqlStep(String name, Set<Fact> answers, Set<Fact> provides, As as, SqlFragment sql) {
    /** With whose rights a step runs. */
    public enum As {
        /** The provisioning login. */
        OPERATOR,
        /** Who owns companions: an object that its owner makes need not be handed over, which writes its row twice. */
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
