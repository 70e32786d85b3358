package svc.platform.problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One failed call of the control plane, as its caller is to read it (RFC 9457). Throw {@link #asException()}; the mapper
 * at the edge adds the request id and renders it.
 *
 * @param detail what is wrong this time, in words for the caller; never a secret, never a stack
 * @param hint what to do about it
 * @param errors the fields at fault
 * @param members further members of the body, such as {@code sqlstate} and {@code position}
 * @param retryAfter sent as the header Retry-After, in whole seconds rounded up
 */
public record Problem(
        ProblemCode code,
        String detail,
        Optional<String> hint,
        List<FieldError> errors,
        Map<String, Object> members,
        Optional<Duration> retryAfter) {
    public Problem {
        errors = List.copyOf(errors);
        members = Map.copyOf(members);
    }

    /**
     * A field of the body that is at fault.
     *
     * @param pointer JSON pointer (RFC 6901) into the body, {@code ""} for the body itself
     */
    public record FieldError(String pointer, String message) {}

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, detail, Optional.empty(), List.of(), Map.of(), Optional.empty());
    }

    public Problem withHint(String text) {
        return new Problem(code, detail, Optional.of(text), errors, members, retryAfter);
    }

    /** With one more field at fault. */
    public Problem withError(String pointer, String message) {
        var all = new ArrayList<>(errors);
        all.add(new FieldError(pointer, message));
        return new Problem(code, detail, hint, all, members, retryAfter);
    }

    /** With one more member; one that RFC 9457 or we define already is refused. */
    public Problem with(String member, Object value) {
        if (ProblemBody.RESERVED.contains(member)) {
            throw new IllegalArgumentException(member + " is a member of every problem");
        }
        var all = new LinkedHashMap<>(members);
        all.put(member, value);
        return new Problem(code, detail, hint, errors, all, retryAfter);
    }

    public Problem retryAfter(Duration wait) {
        return new Problem(code, detail, hint, errors, members, Optional.of(wait));
    }

    public ProblemException asException() {
        return new ProblemException(this, null);
    }

    /** @param cause goes into our log, never into the answer */
    public ProblemException asException(Throwable cause) {
        return new ProblemException(this, cause);
    }
}
