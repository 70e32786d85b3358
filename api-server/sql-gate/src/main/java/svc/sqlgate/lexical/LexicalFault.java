package svc.sqlgate.lexical;

/** The script is not made of tokens. Stays inside of this package. */
final class LexicalFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int offset;

    /** @param offset where the broken token begins, in bytes */
    LexicalFault(String message, int offset) {
        super(message);
        this.offset = offset;
    }

    int offset() {
        return offset;
    }
}
