package svc.platform.problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One failed call of the control plane (RFC 9457). Throw {@link #asException()}; the mapper at the edge adds the
 * request id and renders it.
 *
 * @param detail what is wrong with this call, for its caller; never a secret or a stack trace
 * @param hint how to fix it
 * @param errors the invalid fields
 * @param members additional members of the body, such as {@code sqlstate} and {@code position}
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
     * An invalid field of the body.
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

    /** With one more invalid field; for several see {@link #withErrors}. */
    public Problem withError(String pointer, String message) {
        return withErrors(List.of(new FieldError(pointer, message)));
    }

    /** With more invalid fields. */
    public Problem withErrors(List<FieldError> more) {
        var all = new ArrayList<>(errors);
        all.addAll(more);
        return new Problem(code, detail, hint, all, members, retryAfter);
    }

    /** With one more member; rejects members that RFC 9457 or this API defines. */
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

    /** @param cause is logged and never sent */
    public ProblemException asException(Throwable cause) {
        return new ProblemException(this, cause);
    }
}
