package svc.sqlgate.parser;

import java.io.IOException;

/** A tree does not get the memory that it needs. */
final class MemoryRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final RefusedReason reason;

    MemoryRefusedException(RefusedReason reason) {
        super(reason.words());
        this.reason = reason;
    }

    RefusedReason reason() {
        return reason;
    }
}
