package svc.sqlgate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.mapping.BoundNames;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.script.EditedScript;

/** The gate's decision on a script. */
public sealed interface Verdict {
    /**
     * It may run.
     *
     * @param script what to send, and the way from its places to the caller's
     * @param starts where each of its statements begins in the caller's text, in UTF-16 units
     * @param summary of the script as the caller wrote it
     * @param names how the caller calls what the server's messages name
     * @param bound which of the values that come beside it are names
     * @param executionMode whether the platform's transaction goes around it
     * @param authTables whether it needs the tables of the auth service, which a project gets at its first use of them
     * @param tags what PostgreSQL would have answered to the statements that are sent as something else, by their number
     *     from 1; each of them is still one statement in what is sent, so results keep their order and number
     * @param takesRole whether it says in which role its statements run
     * @param ofCatalog statements that read the catalog and no rows of an application, by their number from 1
     */
    record Admitted(
            EditedScript script,
            List<Integer> starts,
            ScriptSummary summary,
            SupabaseAliases names,
            BoundNames bound,
            ExecutionMode executionMode,
            boolean authTables,
            Map<Integer, String> tags,
            boolean takesRole,
            Set<Integer> ofCatalog)
            implements Verdict {
        public Admitted {
            starts = List.copyOf(starts);
            tags = Map.copyOf(tags);
            ofCatalog = Set.copyOf(ofCatalog);
        }

        /** Where a statement begins in the caller's text; empty when there is none of that number. */
        public Optional<SourceText.Place> placeOfStatement(int number) {
            return number < 1 || number > starts.size()
                    ? Optional.empty()
                    : Optional.of(new SourceText(script.original()).placeOfUnit(starts.get(number - 1)));
        }

        /** The number of the statement at a place of the caller's text; 0 before the first. */
        public int statementAt(SourceText.Place place) {
            int unit = new SourceText(script.original()).unitOfPosition(place.position());
            return (int) starts.stream().filter(start -> start <= unit).count();
        }
    }

    /**
     * It may not.
     *
     * @param statement its number in the script, from 1; 0 when the script as a whole is at fault
     * @param place where; empty when that is not known
     * @param what names what is refused
     * @param hint what to do instead
     * @param summary of the script, as far as it was read
     */
    record Rejected(
            ProblemCode code,
            int statement,
            Optional<SourceText.Place> place,
            String what,
            String hint,
            ScriptSummary summary)
            implements Verdict {}

    /** The gate cannot judge it now; the same script may be sent again. */
    record Unknown(String why) implements Verdict {}
}
