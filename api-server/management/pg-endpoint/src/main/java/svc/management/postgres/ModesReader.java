package svc.management.postgres;

import java.util.Optional;

/** Reads the modes of a transaction, as BEGIN and SET TRANSACTION name them. */
final class ModesReader {
    private final TokenCursor tokens;

    ModesReader(TokenCursor tokens) {
        this.tokens = tokens;
    }

    /** None, or several with or without commas; empty for what is no mode. */
    Optional<TransactionModes> modes() {
        TransactionModes modes = TransactionModes.NONE;
        while (!tokens.atEnd()) {
            Optional<TransactionModes> mode = mode();
            if (mode.isEmpty()) {
                return Optional.empty();
            }
            modes = mode.get().or(modes);
            tokens.symbol(',');
        }
        return Optional.of(modes);
    }

    private Optional<TransactionModes> mode() {
        if (tokens.word("isolation")) {
            return tokens.word("level")
                    ? level().flatMap(level -> of("transaction_isolation", level))
                    : Optional.empty();
        }
        if (tokens.word("read")) {
            return tokens.word("only")
                    ? of("transaction_read_only", "on")
                    : tokens.word("write") ? of("transaction_read_only", "off") : Optional.empty();
        }
        boolean not = tokens.word("not");
        return tokens.word("deferrable") ? of("transaction_deferrable", not ? "off" : "on") : Optional.empty();
    }

    private static Optional<TransactionModes> of(String name, String value) {
        return TransactionModes.ofSetting(name, value);
    }

    private Optional<String> level() {
        if (tokens.word("serializable")) {
            return Optional.of("serializable");
        }
        if (tokens.word("repeatable")) {
            return tokens.word("read") ? Optional.of("repeatable read") : Optional.empty();
        }
        if (!tokens.word("read")) {
            return Optional.empty();
        }
        return tokens.name().map(level -> "read " + level);
    }
}
