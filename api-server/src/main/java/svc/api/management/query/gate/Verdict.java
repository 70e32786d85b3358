package svc.api.management.query.gate;

import java.util.Map;
import java.util.Optional;
import svc.api.management.problem.ProblemCode;
import svc.api.management.query.gate.mapping.FamiliarNames;
import svc.api.management.query.script.EditedScript;
import svc.api.sandbox.SourceText;

/** What the gate says of a script. */
public sealed interface Verdict {
    /**
     * It may run.
     *
     * @param script what to send, and the way from its places to the caller's
     * @param note of the script as the caller wrote it
     * @param names how the caller calls what the server's messages name
     * @param running whether the platform's transaction goes around it
     * @param tags what PostgreSQL would have answered to the statements that are sent as something else, by their number
     *     from 1; each of them is still one statement in what is sent, so results keep their order and number
     */
    record Admitted(EditedScript script, Note note, FamiliarNames names, Running running, Map<Integer, String> tags)
            implements Verdict {
        public Admitted {
            tags = Map.copyOf(tags);
        }
    }

    /**
     * It may not.
     *
     * @param statement its number in the script, from 1; 0 when the script as a whole is at fault
     * @param place where; empty when that is not known
     * @param what names what is refused
     * @param hint what to do instead
     * @param note of the script, as far as it was read
     */
    record Rejected(
            ProblemCode code, int statement, Optional<SourceText.Place> place, String what, String hint, Note note)
            implements Verdict {}

    /** Nobody can say now; the same script may be sent again. */
    record Unknown(String why) implements Verdict {}
}
