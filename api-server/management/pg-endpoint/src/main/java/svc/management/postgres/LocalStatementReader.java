package svc.management.postgres;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.management.postgres.LocalStatement.Accepted;
import svc.sqlgate.lexical.Tokens;

/** Reads a {@link LocalStatement} from its tokens. What it does not know wholly is left to the gate. */
final class LocalStatementReader {
    private static final Pattern FIRST = Pattern.compile(
            "(?i)(?:begin|start|commit|end|rollback|abort|savepoint|release|set|reset|discard|unlisten|close|deallocate"
                    + "|select)\\b");

    private static final String SEARCH_PATH = "search_path";

    private final TokenCursor tokens;
    private final List<String> values;
    private final boolean inTransaction;

    LocalStatementReader(String text, List<String> values, boolean inTransaction) {
        this.tokens = new TokenCursor(text);
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
        return statement().filter(found -> tokens.atEnd());
    }

    private Optional<LocalStatement> statement() {
        if (tokens.word("begin")) {
            return begin("BEGIN");
        }
        if (tokens.word("start")) {
            return tokens.word("transaction") ? begin("START TRANSACTION") : Optional.empty();
        }
        if (tokens.word("commit") || tokens.word("end")) {
            return ends() ? Optional.of(new LocalStatement.Commit()) : Optional.empty();
        }
        if (tokens.word("rollback") || tokens.word("abort")) {
            return rollback();
        }
        if (tokens.word("savepoint")) {
            return tokens.name().map(LocalStatement.Savepoint::new);
        }
        if (tokens.word("release")) {
            tokens.word("savepoint");
            return tokens.name().map(LocalStatement.Release::new);
        }
        if (tokens.word("set")) {
            return set();
        }
        if (tokens.word("select")) {
            return call();
        }
        return ofTheSession();
    }

    private Optional<LocalStatement> ofTheSession() {
        if (tokens.word("reset")) {
            return reset();
        }
        if (tokens.word("discard")) {
            return tokens.word("all")
                    ? Optional.of(new LocalStatement.ResetAll(LocalTags.DISCARD_ALL))
                    : tokens.name()
                            .filter(what -> List.of("plans", "sequences", "temp", "temporary")
                                    .contains(what))
                            .map(what -> new Accepted("DISCARD " + what.toUpperCase(Locale.ROOT)));
        }
        if (tokens.word("unlisten")) {
            return tokens.symbol('*') ? Optional.of(new Accepted("UNLISTEN")) : Optional.empty();
        }
        if (tokens.word("close")) {
            return tokens.word("all") && !inTransaction
                    ? Optional.of(new Accepted(LocalTags.CLOSE_ALL))
                    : Optional.empty();
        }
        if (tokens.word("deallocate")) {
            tokens.word("prepare");
            if (tokens.word("all")) {
                return Optional.of(new LocalStatement.Deallocate(Optional.empty()));
            }
            return tokens.name().map(name -> new LocalStatement.Deallocate(Optional.of(name)));
        }
        return Optional.empty();
    }

    private boolean ends() {
        if (!tokens.word("work")) {
            tokens.word("transaction");
        }
        return !tokens.word("and") || tokens.word("no") && tokens.word("chain");
    }

    private Optional<LocalStatement> rollback() {
        if (!ends()) {
            return Optional.empty();
        }
        if (tokens.word("to")) {
            tokens.word("savepoint");
            return tokens.name().map(LocalStatement.ReturnTo::new);
        }
        return Optional.of(new LocalStatement.Rollback());
    }

    private Optional<LocalStatement> begin(String tag) {
        if (!tokens.word("work")) {
            tokens.word("transaction");
        }
        return new ModesReader(tokens).modes().map(modes -> new LocalStatement.Begin(tag, modes));
    }

    private Optional<LocalStatement> set() {
        boolean local = tokens.word("local");
        boolean session = !local && tokens.word("session");
        if (session && tokens.word("characteristics")) {
            return tokens.word("as") && tokens.word("transaction") ? modes(true) : Optional.empty();
        }
        if (session && tokens.word("authorization")) {
            return tokens.word("default") ? Optional.of(new Accepted("SET")) : Optional.empty();
        }
        if (!session && !local && tokens.word("transaction")) {
            return modes(false);
        }
        if (tokens.word("time")) {
            return tokens.word("zone") ? assigned("timezone", local) : Optional.empty();
        }
        if (tokens.word("names")) {
            return assigned("client_encoding", local);
        }
        if (tokens.word("schema")) {
            return assigned(SEARCH_PATH, local);
        }
        Optional<String> name = parameter();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        boolean assigns = tokens.word("to") || tokens.symbol('=');
        if (name.get().equals("role")) {
            return role().map(LocalStatement.Role::new);
        }
        return assigns ? assigned(name.get(), local) : Optional.empty();
    }

    private Optional<LocalStatement> modes(boolean session) {
        return new ModesReader(tokens)
                .modes()
                .filter(modes -> !modes.equals(TransactionModes.NONE))
                .map(modes -> new LocalStatement.Modes(modes, session));
    }

    private Optional<String> role() {
        return tokens.isString() ? Optional.of(tokens.constant()) : tokens.name();
    }

    /** A name with or without dots. */
    private Optional<String> parameter() {
        Optional<String> name = tokens.name();
        while (name.isPresent() && tokens.symbol('.')) {
            Optional<String> next = tokens.name();
            String first = name.get();
            name = next.map(second -> first + "." + second);
        }
        return name.map(found -> found.toLowerCase(Locale.ROOT));
    }

    private Optional<LocalStatement> assigned(String name, boolean local) {
        if (tokens.word("default") || name.equals("timezone") && tokens.word("local")) {
            return setting(name, Optional.empty(), local);
        }
        List<String> list = new ArrayList<>();
        do {
            Optional<String> value = tokens.value();
            if (value.isEmpty()) {
                return Optional.empty();
            }
            list.add(value.get());
        } while (tokens.symbol(','));
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
        if (tokens.word("all")) {
            return Optional.of(new LocalStatement.ResetAll("RESET"));
        }
        if (tokens.word("session")) {
            return tokens.word("authorization") ? Optional.of(new Accepted("RESET")) : Optional.empty();
        }
        if (tokens.word("time")) {
            return tokens.word("zone")
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
        if (tokens.word("pg_catalog") && !tokens.symbol('.')) {
            return Optional.empty();
        }
        if (tokens.word("pg_advisory_unlock_all")) {
            return tokens.symbol('(') && tokens.symbol(')') && !inTransaction
                    ? Optional.of(new LocalStatement.UnlockAll())
                    : Optional.empty();
        }
        if (!tokens.word("set_config") || !tokens.symbol('(')) {
            return Optional.empty();
        }
        Optional<String> name = argument();
        Optional<String> value = tokens.symbol(',') ? argument() : Optional.empty();
        if (name.isEmpty() || value.isEmpty() || !tokens.symbol(',')) {
            return Optional.empty();
        }
        boolean local = tokens.word("true");
        if (!local && !tokens.word("false") || !tokens.symbol(')')) {
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
        if (tokens.isString()) {
            return Optional.of(tokens.constant());
        }
        return tokens.parameter()
                .filter(place -> place <= values.size())
                .flatMap(place -> Optional.ofNullable(values.get(place - 1)));
    }
}
