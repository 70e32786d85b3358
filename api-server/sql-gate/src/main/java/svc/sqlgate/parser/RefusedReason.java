package svc.sqlgate.parser;

/** Why a text was not read although PostgreSQL's grammar found no fault in it, or never saw it. */
public enum RefusedReason {
    /** The text is longer than a request may be. */
    TOO_LARGE("it is too long", false),
    /** It has a character that no SQL text can have: NUL, or half of a surrogate pair. */
    NOT_TEXT("it contains a character that is not valid in SQL text", false),
    /** Its syntax tree takes more memory than that of one text may. */
    TREE_TOO_LARGE("its syntax tree takes more memory than one script may have", false),
    /** It exhausts the parser's stack or memory. */
    TOO_DEEP("it is nested too deeply or too large to be read", false),
    /** Reading it takes more processor time than a text may cost. */
    TOO_SLOW("reading it takes too long", false),
    /** The parser process ended while it read the text. */
    PARSER_CRASHED("the parser crashed while it read it", false),
    /** It could not be read before the deadline, and the parser was not given the time to try. */
    STARVED("the machine had no time to read it", true),
    /** Too many texts are waiting to be read. */
    BUSY("too many texts are waiting to be read", true),
    /** The memory for syntax trees is held by others, or by other texts of the same organisation. */
    NO_MEMORY("the memory for reading SQL is in use", true),
    /** No parser can be started; a fault of the installation. */
    UNAVAILABLE("the parser is not available", true);

    private final String words;
    private final boolean ours;

    RefusedReason(String words, boolean ours) {
        this.words = words;
        this.ours = ours;
    }

    /** Completes the sentence "the SQL was refused because …". */
    public String words() {
        return words;
    }

    /** Whether the text is refused for its size, and not for what it says. */
    public boolean ofSize() {
        return this == TOO_LARGE || this == TREE_TOO_LARGE;
    }

    /** Whether the parser itself has read the text, and can read the next. */
    boolean sparesParser() {
        return this == TREE_TOO_LARGE || this == NO_MEMORY;
    }

    /** Whether a retry of the same text may succeed; otherwise the text is at fault. */
    public boolean passing() {
        return ours;
    }
}
