package svc.management.function;

import com.google.re2j.Pattern;
import java.util.Set;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Validates function names. The resource's schema has the same rule, except for the reserved words of this API. */
final class FunctionName {
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
    private static final Set<String> CALLS = Set.of("deploy", "secrets");

    private FunctionName() {}

    /**
     * @param pointer to the field with the name
     * @throws ProblemException 400 for an invalid name
     */
    static String checked(String name, String pointer) {
        if (!FORM.matcher(name).matches()) {
            throw refused(
                    pointer,
                    "A function name has 1 to 63 letters, digits, - and _, and begins with a letter.",
                    "has an invalid form");
        }
        if (CALLS.contains(name)) {
            throw refused(
                    pointer,
                    "The function name " + name + " is reserved by this API. Choose another name.",
                    "is reserved");
        }
        return name;
    }

    private static ProblemException refused(String pointer, String detail, String error) {
        return Problem.of(ProblemCode.FUNCTION_NAME_INVALID, detail)
                .withError(pointer, error)
                .asException();
    }
}
