package svc.management.postgres;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.lexical.Tokens;

/**
 * What Supabase's command line asks of the table {@code supabase_migrations.schema_migrations}. It gets the history of the
 * Management API, so that there is one and no second. Pure.
 */
enum HistoryStatement {
    /** Whether the table is there. */
    PROVISIONED(
            "select count(*) = 3 as provisioned from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid ="
                    + " a.attrelid where a.attrelid = pg_catalog.to_regclass('supabase_migrations.schema_migrations') and"
                    + " c.relkind in ('r', 'p') and not a.attisdropped and a.attname in ('version', 'name', 'statements')"),
    /** Makes what is always there. */
    PREPARE(
            "create table if not exists supabase_migrations.schema_migrations (version text not null primary key)",
            "alter table supabase_migrations.schema_migrations add column if not exists statements text[]",
            "alter table supabase_migrations.schema_migrations add column if not exists name text"),
    VERSIONS("select version from supabase_migrations.schema_migrations order by version"),
    ENTRIES("select version, coalesce(name, '') as name, statements from supabase_migrations.schema_migrations"),
    /** Behind the statements of a migration, in one batch with them. */
    APPLIED("insert into supabase_migrations.schema_migrations(version, name, statements) values($1, $2, $3)"),
    /** A repair. */
    RECORD("insert into supabase_migrations.schema_migrations(version, name, statements) values($1, $2, $3) on conflict"
            + " (version) do update set name = excluded.name, statements = excluded.statements"),
    REVERT("delete from supabase_migrations.schema_migrations where version = any($1)");

    private static final String SCHEMA = "supabase_migrations";
    private static final String NAME = "schema_migrations";
    private static final String TABLE = SCHEMA + "." + NAME;

    /** The name with and without quotes, and with blanks around its dot. */
    private static final Pattern SPELLINGS = Pattern.compile(
            "(?:\"supabase_migrations\"|supabase_migrations)\\s*+\\.\\s*+(?:\"schema_migrations\"|schema_migrations)",
            Pattern.CASE_INSENSITIVE);

    private static final int MAX_LENGTH = 1000;
    private static final Map<String, HistoryStatement> BY_TEXT = byText();

    private final List<String> texts;

    HistoryStatement(String... texts) {
        this.texts = List.of(texts);
    }

    private static Map<String, HistoryStatement> byText() {
        Map<String, HistoryStatement> all = new java.util.HashMap<>();
        for (HistoryStatement one : values()) {
            one.texts.forEach(text -> all.put(text, one));
        }
        return Map.copyOf(all);
    }

    /** Empty for any other statement. */
    static Optional<HistoryStatement> of(String sql) {
        if (sql.length() > MAX_LENGTH || !namesTable(sql)) {
            return Optional.empty();
        }
        String words = LocalStatement.bare(sql).replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        return Optional.ofNullable(BY_TEXT.get(SPELLINGS.matcher(words).replaceAll(TABLE)));
    }

    /** The refusal of a statement that would make, or read, a second history. */
    static Optional<Problem> refusal(String sql) {
        return namesTable(sql)
                ? Optional.of(Problem.of(
                                ProblemCode.SQL_FORBIDDEN_STATEMENT,
                                "The history of migrations is no table here; this statement on " + TABLE
                                        + " is not one of those that read and write it.")
                        .withHint("Read it with SELECT version FROM " + TABLE + " ORDER BY version, or use GET and POST"
                                + " /v1/projects/{ref}/database/migrations."))
                : Optional.empty();
    }

    private static boolean namesTable(String sql) {
        String lower = sql.toLowerCase(Locale.ROOT);
        return lower.contains(TABLE) || mayName(lower) && isNamed(Tokens.of(sql));
    }

    private static boolean mayName(String lower) {
        return lower.contains(NAME) || lower.contains("u&\"");
    }

    private static boolean isNamed(Tokens tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isQualifier(i)
                    && tokens.get(i).value().equals(SCHEMA)
                    && tokens.get(i + 2).value().equals(NAME)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it reads migrations. */
    boolean readsHistory() {
        return this == VERSIONS || this == ENTRIES;
    }

    /** Whether it records or forgets migrations. */
    boolean changesHistory() {
        return this == APPLIED || this == RECORD || this == REVERT;
    }

    /** The numbers of types of its parameters. */
    List<Integer> parameterTypes() {
        return switch (this) {
            case APPLIED, RECORD -> List.of(25, 25, 1009);
            case REVERT -> List.of(1009);
            default -> List.of();
        };
    }
}
