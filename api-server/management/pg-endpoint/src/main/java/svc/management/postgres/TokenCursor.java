package svc.management.postgres;

import com.google.re2j.Pattern;
import java.util.Optional;
import svc.sqlgate.lexical.QuotedText;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;

/** Reads the tokens of a statement one behind the other. */
final class TokenCursor {
    private static final Pattern PARAMETER = Pattern.compile("\\$[1-9][0-9]?");

    private final Tokens tokens;
    private int at;

    TokenCursor(String text) {
        this.tokens = Tokens.of(text);
    }

    /** Whether all of them were read. */
    boolean atEnd() {
        return at == tokens.size();
    }

    /** Whether a string constant comes next. */
    boolean isString() {
        return tokens.isString(at);
    }

    /** The number of a parameter; empty, and nothing is read, where none comes next. */
    Optional<Integer> parameter() {
        if (atEnd() || !PARAMETER.matcher(tokens.raw(at)).matches()) {
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(tokens.raw(at++).substring(1)));
    }

    /** A word, a constant or a number. */
    Optional<String> value() {
        if (at >= tokens.size()) {
            return Optional.empty();
        }
        if (tokens.isString(at)) {
            return Optional.of(constant());
        }
        String sign = symbol('-') ? "-" : "";
        if (at < tokens.size() && tokens.get(at).kind() == Token.Kind.NUMBER) {
            return Optional.of(sign + tokens.raw(at++));
        }
        return sign.isEmpty() ? name() : Optional.empty();
    }

    /** What the string constant that comes next says. */
    String constant() {
        return QuotedText.of(tokens.raw(at++)).value();
    }

    /** A name, with or without quotes. */
    Optional<String> name() {
        return at < tokens.size() && tokens.get(at).isName()
                ? Optional.of(tokens.get(at++).value())
                : Optional.empty();
    }

    /** Reads a word, if it is this one. @param word in lower case */
    boolean word(String word) {
        if (tokens.isWord(at, word)) {
            at++;
            return true;
        }
        return false;
    }

    /** Reads a symbol, if it is this one. */
    boolean symbol(char symbol) {
        if (tokens.isSymbol(at, symbol)) {
            at++;
            return true;
        }
        return false;
    }
}
