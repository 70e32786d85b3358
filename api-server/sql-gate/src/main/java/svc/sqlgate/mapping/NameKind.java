package svc.sqlgate.mapping;

/** The catalog in which a name argument is resolved, and the form in which the argument writes the name. */
enum NameKind {
    /** As SQL writes names: qualified or not, quoted or not, with argument types or not. */
    QUALIFIED,
    /** The same for a relation, which may be one of the catalog. */
    RELATION,
    /** One identifier as SQL writes it, of a schema. */
    SCHEMA_IDENTIFIER,
    /** One identifier as SQL writes it, of a role. */
    ROLE_IDENTIFIER,
    /** The name of a schema, to the letter. */
    SCHEMA,
    /** The name of a role, to the letter. */
    ROLE,
    /** A regular expression; a name if it is for one name alone, as psql sends it for {@code \d public.todos}. */
    SCHEMA_PATTERN,
    /** The same for a role. */
    ROLE_PATTERN
}
