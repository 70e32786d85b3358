package svc.management.problem;

import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * The display name of a project, a token or an organisation: valid Unicode without control characters or surrounding
 * space, so that it can be stored, sent and shown unchanged.
 */
public final class DisplayName {
    private DisplayName() {}

    /**
     * @param what the owner, as the message begins: {@code The project's}
     * @param longest in characters (code points)
     * @throws ProblemException 400 with a pointer to {@code /name}
     */
    public static String checked(String what, String name, int longest) {
        String fault = fault(name, longest);
        if (fault != null) {
            throw Problem.of(ProblemCode.INVALID_BODY, what + " name " + fault + ".")
                    .withError("/name", fault)
                    .withHint("A name has 1 to " + longest + " characters.")
                    .asException();
        }
        return name;
    }

    private static String fault(String name, int longest) {
        if (name == null) {
            return "is missing";
        }
        if (name.isEmpty()) {
            return "is empty";
        }
        if (name.codePointCount(0, name.length()) > longest) {
            return "is longer than " + longest + " characters";
        }
        if (name.codePoints().anyMatch(Character::isISOControl)) {
            return "has a control character";
        }
        if (name.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            return "is not valid Unicode";
        }
        return name.strip().equals(name) ? null : "begins or ends with white space";
    }
}
