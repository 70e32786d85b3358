package svc.management.migration;

import java.nio.charset.StandardCharsets;
import java.util.List;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The text of a migration, which a body holds as one text or in parts. Pure. */
final class MigrationText {
    /** On a line of its own, since a part may end in a comment. */
    private static final String SEPARATOR = "\n;\n";

    private MigrationText() {}

    /** Null if there is none. */
    static String joined(String query, List<String> statements) {
        return query != null || statements == null ? query : String.join(SEPARATOR, statements);
    }

    /**
     * @param pointer to what holds the two fields
     * @throws ProblemException 400 if there is none, or both
     */
    static String required(String query, List<String> statements, String pointer) {
        if (query != null && statements != null) {
            throw Problem.of(
                            ProblemCode.INVALID_BODY,
                            "The fields " + pointer + "/query and " + pointer + "/statements exclude each other.")
                    .withError(pointer + "/statements", "excludes query")
                    .asException();
        }
        if (statements != null && statements.contains(null)) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + "/statements has an element null.")
                    .withError(pointer + "/statements", "has an element null")
                    .asException();
        }
        return Body.required(joined(query, statements), pointer + "/query");
    }

    /**
     * A text that is stored without being read as SQL.
     *
     * @param pointer to its field
     * @throws ProblemException 400 if PostgreSQL cannot store it
     */
    static String storable(String text, String pointer) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw Problem.of(
                            ProblemCode.INVALID_BODY,
                            "The field " + pointer + " has a text that PostgreSQL cannot store.")
                    .withError(pointer, "is not valid Unicode, or contains NUL")
                    .asException();
        }
        return text;
    }

    /** Whether two texts differ in nothing but the ends of their lines and space at their end. */
    static boolean same(String one, String other) {
        return normal(one).equals(normal(other));
    }

    private static String normal(String text) {
        return text.replace("\r\n", "\n").stripTrailing();
    }
}
