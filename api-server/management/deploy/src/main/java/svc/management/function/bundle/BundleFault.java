package svc.management.function.bundle;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something in a function that keeps it from running.
 *
 * @param file as its user named it, or the address of a package's
 * @param line from 1 on; empty when no place is known, as is {@code column}
 */
public record BundleFault(Kind kind, String message, Optional<String> file, OptionalInt line, OptionalInt column) {
    /** What kind of thing it is; decides on the code of the answer. */
    public enum Kind {
        SYNTAX,
        IMPORT_FORBIDDEN,
        IMPORT_FAILED,
        IMPORT_MAP,
        TOO_LARGE,
        /** A registry does not answer: the same function may be bundled later. */
        UNREACHABLE,
        /** Bundling took longer, or more memory, than a function is given. */
        TOO_COSTLY,
        NO_HANDLER,
        BOOT_FAILED,
        BOOT_TIMEOUT
    }

    public static BundleFault of(Kind kind, String message) {
        return new BundleFault(kind, message, Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** {@code file:line:column: message}, as far as the place is known. */
    public String text() {
        StringBuilder text = new StringBuilder();
        file.ifPresent(name -> text.append(name).append(':'));
        line.ifPresent(number -> text.append(number).append(':'));
        column.ifPresent(number -> text.append(number).append(':'));
        return text.isEmpty() ? message : text.append(' ').append(message).toString();
    }
}
