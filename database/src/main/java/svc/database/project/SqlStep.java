package svc.database.project;

import java.util.Set;
import svc.database.sql.SqlFragment;

/**
 * SQL that makes facts true, and may be run again on a database where some of them are true already.
 *
 * @param name for logs, events and errors: says what, never holds a value
 * @param answers the step is taken when one of these is missing
 * @param provides what is true afterwards, {@code answers} included; a later step for one of these is then not needed
 * @param sql statements, each ended by a semicolon
 */
public record SqlStep(String name, Set<Fact> answers, Set<Fact> provides, SqlFragment sql) {
    public SqlStep {
        answers = Set.copyOf(answers);
        provides = Set.copyOf(provides);
        if (!provides.containsAll(answers)) {
            throw new IllegalArgumentException("step " + name + " answers what it does not provide");
        }
    }

    /** A step that provides exactly what it answers. */
    public static SqlStep of(String name, Set<Fact> facts, SqlFragment sql) {
        return new SqlStep(name, facts, facts, sql);
    }
}
