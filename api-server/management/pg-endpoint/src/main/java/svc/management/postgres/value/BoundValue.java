package svc.management.postgres.value;

import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.script.ScriptParameter;

/**
 * A value that a client has bound to a parameter.
 *
 * @param typeOid that the client has declared; 0 for none
 * @param binaryFormat whether it is in the binary format
 * @param bytes null for SQL's null
 */
public record BoundValue(int typeOid, boolean binaryFormat, byte[] bytes) implements ScriptParameter {
    /** Of its bytes; 0 for null. */
    public int length() {
        return bytes == null ? 0 : bytes.length;
    }

    @Override
    public Optional<byte[]> binary() {
        return Optional.ofNullable(bytes).filter(any -> binaryFormat);
    }

    /** @throws svc.platform.problem.ProblemException for bytes that are no value, or cannot be read in their format */
    @Override
    public Optional<String> text(String type) {
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(binaryFormat ? decoded(type) : BinaryValues.text(bytes));
        } catch (InvalidValueException e) {
            throw Problem.of(
                            ProblemCode.SQL_PARAMETERS_INVALID,
                            "A parameter of the type " + type + " is not valid: " + e.getMessage() + ".")
                    .withHint("Check how the client writes values of this type, or send it as text.")
                    .with("sqlstate", e.sqlState())
                    .asException(e);
        }
    }

    private String decoded(String type) {
        return BinaryValues.decode(type, bytes)
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SQL_PARAMETERS_INVALID,
                                "A parameter of the type " + type + " cannot be read in the binary format.")
                        .withHint("Send it as text, and cast it in the statement if it needs a type.")
                        .with("sqlstate", "0A000")
                        .asException());
    }
}
