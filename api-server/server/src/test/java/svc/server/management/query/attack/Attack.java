package svc.server.management.query.attack;

import java.util.List;

/**
 * One attempt to break out of the SQL endpoint's confinement.
 *
 * @param family the file that contains it; attacks of a family share an attacking project
 * @param name the attempt
 */
public record Attack(String family, String name, List<Step> steps) {
    /** The kind of a step. */
    enum Act {
        /** The attacker sends SQL that any project may send; it must be accepted. */
        SETUP,
        /** The attacker sends SQL. The argument says what is to come of it, see {@link Expectation}. */
        RUN,
        /** The attacker sends these bytes as the request's body; argument as above. */
        BODY,
        /** The attacker sends SQL as read_only; argument as above. */
        READ,
        /** The attacker sends SQL and wants the rows of every statement; argument as above. */
        ALL,
        /** The attacker sends SQL in the role of a signed-in caller; argument as above. */
        CALLER,
        /** A request to the data plane with the attacker's anon key: {@code GET /rest/v1/x 200}, a body may follow. */
        ANON,
        /** The same with the attacker's service-role key. */
        SERVICE,
        /** Code of the project's runs as the login of the data plane: {@code ok} or a SQLSTATE. */
        API,
        /** The platform's own code works in the attacker's companions as their login: {@code ok} or a SQLSTATE. */
        SYSTEM,
        /** The platform maintains the database as its superuser: {@code ok} or a SQLSTATE. */
        OPERATOR,
        /** A query of the superuser; its first value is the argument. */
        HOLDS,
        /** The attack changes what PostgreSQL cannot forbid it to change; the operator puts it back. Argument: the page. */
        REPAIRED;

        /** Whether it is a call of the SQL endpoint. */
        boolean isSentToTheGate() {
            return switch (this) {
                case SETUP, RUN, BODY, READ, ALL, CALLER -> true;
                case ANON, SERVICE, API, SYSTEM, OPERATOR, HOLDS, REPAIRED -> false;
            };
        }
    }

    /** @param text SQL, a body, or nothing, with placeholders */
    record Step(Act act, String argument, String text) {}

    public Attack {
        steps = List.copyOf(steps);
    }

    /** Whether the operator will find something to repair. */
    boolean isRepaired() {
        return steps(Act.REPAIRED) > 0;
    }

    /** Whether it is a single call that must run into its time limit. */
    boolean onlyWaits() {
        return steps.size() == 1
                && steps.getFirst().act() == Act.RUN
                && steps.getFirst().argument().equals("sql_timeout");
    }

    /** How many of its steps send a text that is or would be run. */
    long texts() {
        return steps(Act.SETUP) + steps(Act.RUN) + steps(Act.READ) + steps(Act.ALL) + steps(Act.CALLER);
    }

    /** How many of its steps are of one kind. */
    long steps(Act act) {
        return steps.stream().filter(step -> step.act() == act).count();
    }

    @Override
    public String toString() {
        return name;
    }
}
