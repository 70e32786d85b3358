package svc.database.project;

import static java.util.Objects.requireNonNull;

/**
 * One fact about a project in its database, observed or desired. {@link ObservationQuery} and {@link ProjectLayout} express
 * the same fact with the same three texts; the plan is the difference of the two sets.
 *
 * @param subject the object that it concerns: {@code owner}, {@code auth.users}; roles of other projects begin with {@code other:}
 * @param value empty when the fact is existence
 */
public record Fact(Kind kind, String subject, String value) {
    /** The kind of a fact, with its word in the observation query. */
    public enum Kind {
        ROLE("role"),
        ATTRIBUTES("attributes"),
        /** The value is a verifier: never printed. */
        PASSWORD("password"),
        SETTING("setting"),
        /** A setting for this database only; never desired. */
        DATABASE_SETTING("database setting"),
        MEMBER("member"),
        SCHEMA("schema"),
        OWNER("owner"),
        GRANT("grant"),
        OWNER_PRIVILEGES("owner privileges"),
        COLUMN_GRANT("column grant"),
        DEFAULT_PRIVILEGES("default privileges"),
        TABLE("table"),
        /** Storage of long values: {@code of types}, or {@code plain} in lean tables. */
        STORAGE("storage"),
        ROW_SECURITY("row security"),
        COLUMN("column"),
        COLUMN_DEFAULT("column default"),
        COLUMN_NULL("column null"),
        CONSTRAINT("constraint"),
        INDEX("index"),
        POLICY("policy"),
        /** Of the platform's triggers: the value is the statement that makes it, and whether it is not enabled. */
        TRIGGER("trigger"),
        FUNCTION("function"),
        /** Limits that differ from the defaults, as JSON. */
        OBJECT_LIMITS("object limits"),
        /** Functions of the project's own that the platform's common ones have replaced; never desired. */
        RETIRED("retired");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /** @throws IllegalArgumentException for an unknown word */
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

    /** A fact of existence. */
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
