package svc.management.json;

import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** What a resource gets when nothing, or the word null, was sent. */
public final class Body {
    private Body() {}

    /** @throws ProblemException 400 when there is no body */
    public static <T> T required(T body) {
        if (body == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "This call needs a JSON object as its body.")
                    .withError("", "is missing")
                    .asException();
        }
        return body;
    }

    /** @throws ProblemException 400 with a pointer when the field is missing */
    public static <T> T required(T field, String pointer) {
        if (field == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is missing.")
                    .withError(pointer, "is missing")
                    .asException();
        }
        return field;
    }
}
