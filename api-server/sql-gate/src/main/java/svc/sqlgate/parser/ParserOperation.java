package svc.sqlgate.parser;

/** The operations of the parser program; the codes are those of {@code parse/main.ts}. */
enum ParserOperation {
    /** The trees of all statements. */
    PARSE(1),
    /** The tokens of PostgreSQL's lexer. */
    SCAN(2),
    /** The bodies of PL/pgSQL functions and DO blocks. */
    PLPGSQL(3),
    /** A hash of the trees that leaves constants out. */
    FINGERPRINT(4);

    private final int code;

    /** What is asked of one text. */
    record Question(ParserOperation operation, String text) {}

    ParserOperation(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    Question of(String text) {
        return new Question(this, text);
    }
}
