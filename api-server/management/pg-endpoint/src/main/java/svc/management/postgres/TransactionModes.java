package svc.management.postgres;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The modes of a transaction, as far as they were named.
 *
 * @param isolation PostgreSQL's name of the level, in lower case
 * @param deferrable whether a serializable transaction that only reads waits for a snapshot without conflicts
 */
record TransactionModes(Optional<String> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable) {
    static final TransactionModes NONE = new TransactionModes(Optional.empty(), Optional.empty(), Optional.empty());

    private static final String ISOLATION = "default_transaction_isolation";
    private static final Set<String> LEVELS =
            Set.of("serializable", "repeatable read", "read committed", "read uncommitted");

    private static final String DEFERRABLE = "default_transaction_deferrable";

    /** These, and those of others where these name none. */
    TransactionModes or(TransactionModes others) {
        return new TransactionModes(
                isolation.or(others::isolation), readOnly.or(others::readOnly), deferrable.or(others::deferrable));
    }

    /** The settings of a session whose transactions begin so, without the one that decides whether they only read. */
    void addTo(Map<String, String> settings) {
        isolation.ifPresent(level -> settings.put(ISOLATION, level));
        deferrable.ifPresent(on -> settings.put(DEFERRABLE, on ? "on" : "off"));
    }

    /** The modes that a setting stands for; empty for a setting, or a value, that stands for none. */
    static Optional<TransactionModes> ofSetting(String name, String value) {
        return switch (name) {
            case ISOLATION, "transaction_isolation" ->
                Optional.of(value)
                        .filter(LEVELS::contains)
                        .map(level -> new TransactionModes(Optional.of(level), Optional.empty(), Optional.empty()));
            case "default_transaction_read_only", "transaction_read_only" ->
                bool(value).map(on -> new TransactionModes(Optional.empty(), Optional.of(on), Optional.empty()));
            case DEFERRABLE, "transaction_deferrable" ->
                bool(value).map(on -> new TransactionModes(Optional.empty(), Optional.empty(), Optional.of(on)));
            default -> Optional.empty();
        };
    }

    private static Optional<Boolean> bool(String value) {
        return switch (value) {
            case "on", "true", "yes", "1" -> Optional.of(true);
            case "off", "false", "no", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
