package svc.api.management.project;

import svc.api.management.problem.Problem;
import svc.api.management.problem.ProblemCode;
import svc.api.management.problem.ProblemException;

/** What people call a project: 1 to 63 characters, none a control character, no space at either end. */
final class ProjectName {
    private static final int LONGEST = 63;

    private ProjectName() {}

    /** @throws ProblemException 400 with a pointer; the resource's schema says the same, in words for operators */
    static String checked(String name) {
        String fault = fault(name);
        if (fault != null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The project's name " + fault + ".")
                    .withError("/name", fault)
                    .withHint("A name has 1 to " + LONGEST + " characters.")
                    .asException();
        }
        return name;
    }

    private static String fault(String name) {
        if (name == null) {
            return "is missing";
        }
        if (name.isEmpty()) {
            return "is empty";
        }
        if (name.codePointCount(0, name.length()) > LONGEST) {
            return "is longer than " + LONGEST + " characters";
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
