package svc.api.management.token;

import svc.api.management.problem.Problem;
import svc.api.management.problem.ProblemCode;

/** What people call a token: 1 to 100 characters, none of them a control character. */
final class TokenName {
    private static final int LONGEST = 100;

    private TokenName() {}

    static String checked(String name) {
        String fault = fault(name);
        if (fault != null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The token's name " + fault + ".")
                    .withError("/name", fault)
                    .asException();
        }
        return name;
    }

    private static String fault(String name) {
        if (name == null || name.isBlank()) {
            return "is missing";
        }
        if (name.codePointCount(0, name.length()) > LONGEST) {
            return "is longer than " + LONGEST + " characters";
        }
        return name.codePoints().anyMatch(Character::isISOControl) ? "has a control character" : null;
    }
}
