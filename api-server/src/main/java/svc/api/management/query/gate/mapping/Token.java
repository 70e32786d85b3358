package svc.api.management.query.gate.mapping;

/**
 * One token of a SQL text.
 *
 * @param start in UTF-16 units
 * @param end in UTF-16 units, exclusive
 * @param value of a word or a quoted identifier the name that it stands for; of everything else the text itself
 */
record Token(Kind kind, int start, int end, String value) {
    enum Kind {
        /** A keyword or an identifier without quotes; folded to lower case. */
        WORD,
        /** An identifier in double quotes. */
        QUOTED,
        /** A string constant of any form, with all its continuations. */
        STRING,
        /** What begins with a digit, as far as letters and digits go. */
        NUMBER,
        /** One character of an operator or of punctuation. */
        SYMBOL
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && value.equals(word);
    }

    boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && value.charAt(0) == symbol;
    }
}
