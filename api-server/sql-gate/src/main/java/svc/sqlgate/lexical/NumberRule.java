package svc.sqlgate.lexical;

/**
 * Where numbers end. As PostgreSQL's lexer does, every form is tried and the longest wins; where a name sticks to a
 * number and makes it longer, the number is junk.
 */
final class NumberRule {
    private static final String JUNK = "trailing junk after numeric literal";

    private final Bytes text;

    NumberRule(Bytes text) {
        this.text = text;
    }

    /** @param start of a digit, or of a point before a digit */
    int end(int start) throws LexicalFault {
        int integer = endOfDigits(start);
        if (text.isPair(integer, '.', '.')) {
            // The two points of a range in PL/pgSQL.
            return integer;
        }
        int decimal = endOfDecimal(start, integer);
        int real = Math.max(endOfExponent(start, integer), endOfExponent(start, decimal));
        int end = Math.max(Math.max(decimal, real), endOfRadix(start));
        refuseJunk(start, end);
        return end;
    }

    /**
     * A name may begin inside of the number as well, at an underscore, an exponent or a radix: 1_0$ is the number 1 with
     * a name stuck to it, because that is longer than 1_0.
     */
    private void refuseJunk(int start, int end) throws LexicalFault {
        for (int at = start + 1; at <= end; at++) {
            boolean afterNumber = text.isDigit(at - 1) || text.is(at - 1, '.');
            if (afterNumber && text.isNameStart(at) && text.endOfName(at) > end) {
                throw new LexicalFault(JUNK, start);
            }
        }
    }

    /** $1. */
    int endOfParameter(int start) throws LexicalFault {
        int end = start + 1;
        while (text.isDigit(end)) {
            end++;
        }
        // libpg_query splits here; PostgreSQL refuses.
        if (text.isNameStart(end)) {
            throw new LexicalFault("trailing junk after parameter", start);
        }
        return end;
    }

    /** Digits with single underscores between them. */
    private int endOfDigits(int start) {
        int at = start;
        while (text.isDigit(at) || (at > start && text.is(at, '_') && text.isDigit(at + 1))) {
            at++;
        }
        return at;
    }

    private int endOfDecimal(int start, int integer) {
        if (!text.is(integer, '.')) {
            return integer;
        }
        int end = endOfDigits(integer + 1);
        return integer == start && end == integer + 1 ? integer : end;
    }

    /** {@code start} when there is no exponent. */
    private int endOfExponent(int start, int mantissa) throws LexicalFault {
        if (!text.is(mantissa, 'e') && !text.is(mantissa, 'E')) {
            return start;
        }
        int at = mantissa + 1;
        boolean signed = text.is(at, '+') || text.is(at, '-');
        int digits = signed ? at + 1 : at;
        int end = endOfDigits(digits);
        if (end > digits) {
            return end;
        }
        if (signed) {
            throw new LexicalFault(JUNK, start);
        }
        return start;
    }

    /** 0x, 0o and 0b; {@code start} when it is none of them. */
    private int endOfRadix(int start) throws LexicalFault {
        int radix = text.is(start, '0') ? text.at(start + 1) | 0x20 : Bytes.NONE;
        if (radix != 'x' && radix != 'o' && radix != 'b') {
            return start;
        }
        int at = start + 2;
        while (isDigitOf(radix, at) || (text.is(at, '_') && isDigitOf(radix, at + 1))) {
            at++;
        }
        if (at == start + 2) {
            throw new LexicalFault("invalid integer", start);
        }
        return at;
    }

    private boolean isDigitOf(int radix, int index) {
        return switch (radix) {
            case 'x' -> text.isHexDigit(index);
            case 'o' -> text.isDigit(index) && text.at(index) < '8';
            default -> text.is(index, '0') || text.is(index, '1');
        };
    }
}
