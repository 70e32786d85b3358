package svc.database.project;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is, or should be, true of a project in its database. {@link ObservationQuery} and {@link ProjectLayout}
 * spell the same truth with the same three texts; the plan is the difference of the two sets.
 *
 * @param subject what it is about: {@code owner}, {@code auth.users}; roles of other projects begin with {@code other:}
 * @param value empty where existing is all there is to say
 */
public record Fact(Kind kind, String subject, String value) {
    /** What a fact is about, with the word that the observation uses. */
    public enum Kind {
        ROLE("role"),
        ATTRIBUTES("attributes"),
        /** The value is a verifier: never printed. */
        PASSWORD("password"),
        SETTING("setting"),
        /** A setting that holds in this database only; none is ever desired. */
        DATABASE_SETTING("database setting"),
        MEMBER("member"),
        SCHEMA("schema"),
        OWNER("owner"),
        GRANT("grant"),
        OWNER_PRIVILEGES("owner privileges"),
        COLUMN_GRANT("column grant"),
        DEFAULT_PRIVILEGES("default privileges"),
        TABLE("table"),
        /** Whether long values leave their rows: {@code of types}, or {@code plain} as lean tables have it. */
        STORAGE("storage"),
        ROW_SECURITY("row security"),
        COLUMN("column"),
        COLUMN_DEFAULT("column default"),
        COLUMN_NULL("column null"),
        CONSTRAINT("constraint"),
        INDEX("index"),
        POLICY("policy"),
        FUNCTION("function");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /** @throws IllegalArgumentException for a word that no kind has */
        public static Kind ofWord(String word) {
            for (Kind kind : values()) {
                if (kind.word.equals(word)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no kind of fact is called " + word);
        }
    }

    public Fact {
        requireNonNull(kind, "kind is null");
        requireNonNull(subject, "subject is null");
        requireNonNull(value, "value is null");
    }

    /** A fact whose existence is all there is to say. */
    public static Fact of(Kind kind, String subject) {
        return new Fact(kind, subject, "");
    }

    boolean sameSubject(Fact other) {
        return kind == other.kind && subject.equals(other.subject);
    }

    @Override
    public String toString() {
        return kind.word + " " + subject + (value.isEmpty() ? "" : kind == Kind.PASSWORD ? ": ***" : ": " + value);
    }
}
