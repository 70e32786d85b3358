package svc.management.function;

import java.util.Set;
import java.util.regex.Pattern;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** What a function may be called. The resource's schema says the same, but for the words that are calls of this API. */
final class FunctionName {
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
    private static final Set<String> CALLS = Set.of("deploy", "secrets");

    private FunctionName() {}

    /**
     * @param pointer to the field that holds the name
     * @throws ProblemException 400 when no function can have the name
     */
    static String checked(String name, String pointer) {
        if (!FORM.matcher(name).matches()) {
            throw refused(
                    pointer,
                    "A function's name has 1 to 63 letters, digits, - and _, and begins with a letter.",
                    "is not of this form");
        }
        if (CALLS.contains(name)) {
            throw refused(
                    pointer,
                    "A function cannot be called " + name + ": that is a call of this API. Choose another name.",
                    "is a word of this API");
        }
        return name;
    }

    private static ProblemException refused(String pointer, String detail, String error) {
        return Problem.of(ProblemCode.FUNCTION_NAME_INVALID, detail)
                .withError(pointer, error)
                .asException();
    }
}
