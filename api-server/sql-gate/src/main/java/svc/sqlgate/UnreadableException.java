package svc.sqlgate;

import java.util.Optional;
import svc.sqlgate.parser.RefusedReason;

/** A script, or a text inside of it, could not be read. Not thrown out of this package. */
final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int statement;
    private final int position;
    private final transient Optional<RefusedReason> reason;

    private UnreadableException(String message, int statement, int position, Optional<RefusedReason> reason) {
        super(message);
        this.statement = statement;
        this.position = position;
        this.reason = reason;
    }

    /** PostgreSQL's grammar refuses the script, at a position in characters. */
    static UnreadableException script(String message, int position) {
        return new UnreadableException(message, 0, position, Optional.empty());
    }

    /** The grammar refuses the body of a statement. */
    static UnreadableException body(String message, int statement) {
        return new UnreadableException(message, statement, 0, Optional.empty());
    }

    /** The parser gave no answer. */
    static UnreadableException refused(RefusedReason reason, int statement) {
        return new UnreadableException(reason.words(), statement, 0, Optional.of(reason));
    }

    /** Whose body it is; 0 when it is the script itself. */
    int statement() {
        return statement;
    }

    int position() {
        return position;
    }

    Optional<RefusedReason> reason() {
        return reason;
    }
}
