package svc.postgres.script;

import java.util.Optional;

/** A value for one of {@code $1}, {@code $2}, … of a statement; its form follows from the type that the server infers. */
@FunctionalInterface
public interface ScriptParameter {
    /**
     * The value in the server's input form of a type; empty for SQL's null.
     *
     * @param type as {@code format_type} writes it: {@code integer}, {@code text[]}
     */
    Optional<String> text(String type);

    /** The value in the server's binary format, where the caller gave it so; empty for null, and for text. */
    default Optional<byte[]> binary() {
        return Optional.empty();
    }

    /** The type that the caller declares, of {@code pg_type}; 0 leaves it to the server. */
    default int typeOid() {
        return 0;
    }
}
