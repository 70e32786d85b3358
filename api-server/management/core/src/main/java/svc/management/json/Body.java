package svc.management.json;

import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Checks for bodies and fields that are missing or null. */
public final class Body {
    private Body() {}

    /** @throws ProblemException 400 if there is no body */
    public static <T> T required(T body) {
        if (body == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "This call needs a JSON object as its body.")
                    .withError("", "is missing")
                    .asException();
        }
        return body;
    }

    /** @throws ProblemException 400 with a pointer if the field is missing */
    public static <T> T required(T field, String pointer) {
        if (field == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is missing.")
                    .withError(pointer, "is missing")
                    .asException();
        }
        return field;
    }
}
