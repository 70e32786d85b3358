package svc.management.postgres;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.management.postgres.LocalStatement.Accepted;
import svc.sqlgate.lexical.QuotedText;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;

/** Reads a {@link LocalStatement} from its tokens. What it does not know wholly is left to the gate. */
final class LocalStatementReader {
    private static final Pattern FIRST = Pattern.compile(
            "(?i)(?:begin|start|commit|end|rollback|abort|savepoint|release|set|reset|discard|unlisten|close|deallocate"
                    + "|select)\\b");

    private static final String SEARCH_PATH = "search_path";

    private final Tokens tokens;
    private final List<String> values;
    private final boolean inTransaction;
    private int at;

    LocalStatementReader(String text, List<String> values, boolean inTransaction) {
        this.tokens = Tokens.of(text);
        this.values = values;
        this.inTransaction = inTransaction;
    }

    /** A quick look at the first word. */
    static boolean mayBegin(String text) {
        return FIRST.matcher(text).lookingAt();
    }

    /** The statements of a text. */
    static List<String> parts(String text) {
        Tokens tokens = Tokens.of(text);
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isSymbol(i, ';')) {
                parts.add(text.substring(start, tokens.get(i).start()));
                start = tokens.get(i).end();
            }
        }
        parts.add(text.substring(start));
        return parts.stream()
                .filter(part -> !LocalStatement.bare(part).isEmpty())
                .toList();
    }

    /** The statement, if it is the whole text. */
    Optional<LocalStatement> only() {
        return statement().filter(found -> at == tokens.size());
    }

    private Optional<LocalStatement> statement() {
        if (word("begin")) {
            return begin("BEGIN");
        }
        if (word("start")) {
            return word("transaction") ? begin("START TRANSACTION") : Optional.empty();
        }
        if (word("commit") || word("end")) {
            return ends() ? Optional.of(new LocalStatement.Commit()) : Optional.empty();
        }
        if (word("rollback") || word("abort")) {
            return rollback();
        }
        if (word("savepoint")) {
            return name().map(LocalStatement.Savepoint::new);
        }
        if (word("release")) {
            word("savepoint");
            return name().map(LocalStatement.Release::new);
        }
        if (word("set")) {
            return set();
        }
        if (word("select")) {
            return call();
        }
        return ofTheSession();
    }

    private Optional<LocalStatement> ofTheSession() {
        if (word("reset")) {
            return reset();
        }
        if (word("discard")) {
            return word("all")
                    ? Optional.of(new LocalStatement.ResetAll("DISCARD ALL"))
                    : name().filter(what -> List.of("plans", "sequences", "temp", "temporary")
                                    .contains(what))
                            .map(what -> new Accepted("DISCARD " + what.toUpperCase(Locale.ROOT)));
        }
        if (word("unlisten")) {
            return symbol('*') ? Optional.of(new Accepted("UNLISTEN")) : Optional.empty();
        }
        if (word("close")) {
            return word("all") && !inTransaction ? Optional.of(new Accepted(LocalTags.CLOSE_ALL)) : Optional.empty();
        }
        if (word("deallocate")) {
            word("prepare");
            if (word("all")) {
                return Optional.of(new LocalStatement.Deallocate(Optional.empty()));
            }
            return name().map(name -> new LocalStatement.Deallocate(Optional.of(name)));
        }
        return Optional.empty();
    }

    private boolean ends() {
        if (!word("work")) {
            word("transaction");
        }
        return !word("and") || word("no") && word("chain");
    }

    private Optional<LocalStatement> rollback() {
        if (!ends()) {
            return Optional.empty();
        }
        if (word("to")) {
            word("savepoint");
            return name().map(LocalStatement.ReturnTo::new);
        }
        return Optional.of(new LocalStatement.Rollback());
    }

    private Optional<LocalStatement> begin(String tag) {
        if (!word("work")) {
            word("transaction");
        }
        return modes().map(modes -> new LocalStatement.Begin(tag, modes));
    }

    /** None, or several with or without commas; empty for what is no mode. */
    private Optional<TransactionModes> modes() {
        TransactionModes modes = TransactionModes.NONE;
        while (at < tokens.size()) {
            Optional<TransactionModes> mode = mode();
            if (mode.isEmpty()) {
                return Optional.empty();
            }
            modes = mode.get().or(modes);
            symbol(',');
        }
        return Optional.of(modes);
    }

    private Optional<TransactionModes> mode() {
        if (word("isolation")) {
            return word("level") ? level().flatMap(level -> of("transaction_isolation", level)) : Optional.empty();
        }
        if (word("read")) {
            return word("only")
                    ? of("transaction_read_only", "on")
                    : word("write") ? of("transaction_read_only", "off") : Optional.empty();
        }
        boolean not = word("not");
        return word("deferrable") ? of("transaction_deferrable", not ? "off" : "on") : Optional.empty();
    }

    private static Optional<TransactionModes> of(String name, String value) {
        return TransactionModes.ofSetting(name, value);
    }

    private Optional<String> level() {
        if (word("serializable")) {
            return Optional.of("serializable");
        }
        if (word("repeatable")) {
            return word("read") ? Optional.of("repeatable read") : Optional.empty();
        }
        if (!word("read")) {
            return Optional.empty();
        }
        return name().map(level -> "read " + level);
    }

    private Optional<LocalStatement> set() {
        boolean local = word("local");
        boolean session = !local && word("session");
        if (session && word("characteristics")) {
            return word("as") && word("transaction") ? modes(true) : Optional.empty();
        }
        if (session && word("authorization")) {
            return word("default") ? Optional.of(new Accepted("SET")) : Optional.empty();
        }
        if (!session && !local && word("transaction")) {
            return modes(false);
        }
        if (word("time")) {
            return word("zone") ? assigned("timezone", local) : Optional.empty();
        }
        if (word("names")) {
            return assigned("client_encoding", local);
        }
        if (word("schema")) {
            return assigned(SEARCH_PATH, local);
        }
        Optional<String> name = parameter();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        boolean assigns = word("to") || symbol('=');
        if (name.get().equals("role")) {
            return role().map(LocalStatement.Role::new);
        }
        return assigns ? assigned(name.get(), local) : Optional.empty();
    }

    private Optional<LocalStatement> modes(boolean session) {
        return modes().filter(modes -> !modes.equals(TransactionModes.NONE))
                .map(modes -> new LocalStatement.Modes(modes, session));
    }

    private Optional<String> role() {
        return at < tokens.size() && tokens.isString(at) ? Optional.of(constant()) : name();
    }

    /** A name with or without dots. */
    private Optional<String> parameter() {
        Optional<String> name = name();
        while (name.isPresent() && symbol('.')) {
            Optional<String> next = name();
            String first = name.get();
            name = next.map(second -> first + "." + second);
        }
        return name.map(found -> found.toLowerCase(Locale.ROOT));
    }

    private Optional<LocalStatement> assigned(String name, boolean local) {
        if (word("default") || name.equals("timezone") && word("local")) {
            return setting(name, Optional.empty(), local);
        }
        List<String> list = new ArrayList<>();
        do {
            Optional<String> value = value();
            if (value.isEmpty()) {
                return Optional.empty();
            }
            list.add(value.get());
        } while (symbol(','));
        if (name.equals(SEARCH_PATH)) {
            return Optional.of(new LocalStatement.SearchPath(list, local));
        }
        return setting(name, Optional.of(String.join(", ", list)), local);
    }

    private Optional<LocalStatement> setting(String name, Optional<String> value, boolean local) {
        if (name.equals(SEARCH_PATH)) {
            return Optional.of(new LocalStatement.SearchPath(List.of(), local));
        }
        Optional<LocalStatement> known = ClientSettings.statement(name, value, local);
        if (known.isEmpty() && !inTransaction && !name.equals("constraints")) {
            return Optional.of(new LocalStatement.Refused(
                    "The setting " + name + " would end with its message: each message has a session of its own.",
                    "Send it in one message with the statements that need it, or between BEGIN and COMMIT."));
        }
        return known;
    }

    private Optional<LocalStatement> reset() {
        if (word("all")) {
            return Optional.of(new LocalStatement.ResetAll("RESET"));
        }
        if (word("session")) {
            return word("authorization") ? Optional.of(new Accepted("RESET")) : Optional.empty();
        }
        if (word("time")) {
            return word("zone")
                    ? setting("timezone", Optional.empty(), false).map(LocalStatementReader::asReset)
                    : Optional.empty();
        }
        return parameter()
                .flatMap(name -> name.equals("role") && !inTransaction
                        ? Optional.of(new Accepted("RESET"))
                        : setting(name, Optional.empty(), false))
                .map(LocalStatementReader::asReset);
    }

    private static LocalStatement asReset(LocalStatement found) {
        if (found instanceof LocalStatement.SearchPath) {
            return found;
        }
        return found instanceof LocalStatement.Setting setting
                ? new LocalStatement.Setting(setting.name(), Optional.empty(), false, "RESET")
                : new Accepted("RESET");
    }

    /** {@code set_config} with constants or parameters, and {@code pg_advisory_unlock_all()}. */
    private Optional<LocalStatement> call() {
        if (word("pg_catalog") && !symbol('.')) {
            return Optional.empty();
        }
        if (word("pg_advisory_unlock_all")) {
            return symbol('(') && symbol(')') && !inTransaction
                    ? Optional.of(new LocalStatement.UnlockAll())
                    : Optional.empty();
        }
        if (!word("set_config") || !symbol('(')) {
            return Optional.empty();
        }
        Optional<String> name = argument();
        Optional<String> value = symbol(',') ? argument() : Optional.empty();
        if (name.isEmpty() || value.isEmpty() || !symbol(',')) {
            return Optional.empty();
        }
        boolean local = word("true");
        if (!local && !word("false") || !symbol(')')) {
            return Optional.empty();
        }
        String lower = name.get().toLowerCase(Locale.ROOT);
        Optional<LocalStatement> setting = lower.equals(SEARCH_PATH)
                ? Optional.of(new LocalStatement.SearchPath(schemas(value.get()), local))
                : ClientSettings.statement(lower, value, local);
        return setting.map(found -> new LocalStatement.SetConfig(found, value.get()));
    }

    /** The names in a search path. */
    static List<String> schemas(String path) {
        List<String> schemas = new ArrayList<>();
        Tokens names = Tokens.of(path);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).isName()) {
                schemas.add(names.get(i).value());
            }
        }
        return schemas.isEmpty() ? List.of("") : schemas;
    }

    private Optional<String> argument() {
        if (at >= tokens.size()) {
            return Optional.empty();
        }
        if (tokens.isString(at)) {
            return Optional.of(constant());
        }
        String raw = tokens.raw(at);
        if (!raw.startsWith("$") || raw.length() > 3) {
            return Optional.empty();
        }
        int place = Integer.parseInt(raw.substring(1));
        at++;
        return place >= 1 && place <= values.size() ? Optional.ofNullable(values.get(place - 1)) : Optional.empty();
    }

    /** A word, a constant or a number. */
    private Optional<String> value() {
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

    private String constant() {
        return QuotedText.of(tokens.raw(at++)).value();
    }

    private Optional<String> name() {
        return at < tokens.size() && tokens.get(at).isName()
                ? Optional.of(tokens.get(at++).value())
                : Optional.empty();
    }

    private boolean word(String word) {
        if (tokens.isWord(at, word)) {
            at++;
            return true;
        }
        return false;
    }

    private boolean symbol(char symbol) {
        if (tokens.isSymbol(at, symbol)) {
            at++;
            return true;
        }
        return false;
    }
}
