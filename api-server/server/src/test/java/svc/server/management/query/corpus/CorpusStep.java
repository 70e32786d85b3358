package svc.server.management.query.corpus;

/**
 * One thing that a file of the corpus does or promises, in the order of the file. What is not a directive is SQL; the SQL
 * between two directives is one call of the endpoint.
 *
 * <pre>
 * -- next call                                            the SQL above and the SQL below are two calls
 * -- run again                                            the last call once more
 * -- sign up 1 ada@example.com {"full_name": "Ada"}       the auth service makes user 1, whose id ends in 0001
 * -- delete user 1                                        and takes the user away
 * -- expect: select count(*) from todos => 2              a query through the endpoint: its one value, or an array of rows
 * -- expect: insert into todos values (1) => error 23505  it fails with this SQLSTATE
 * -- expect as anon: GET /todos => 200 []                 REST as anon, user N or service; a body follows the path
 * -- refused: sql_forbidden_statement, hint "INSERT"      the SQL above is refused, and its hint says this
 * </pre>
 *
 * A directive goes on in lines that begin with {@code --} and four spaces.
 */
sealed interface CorpusStep {
    /** Where it stands in its file, from 1. */
    int line();

    /** A call of the endpoint that must succeed, unless a {@link Refusal} follows it. */
    record Call(int line, String sql) implements CorpusStep {}

    /** @param metadata a JSON object: what the user said about herself */
    record SignUp(int line, int user, String email, String metadata) implements CorpusStep {}

    record UserDeletion(int line, int user) implements CorpusStep {}

    /** @param answer a JSON array of rows, or the one value of the one row */
    record Rows(int line, String sql, String answer) implements CorpusStep {}

    record Failure(int line, String sql, String sqlState) implements CorpusStep {}

    /**
     * @param caller {@code anon}, {@code service} or {@code user N}
     * @param body JSON, empty for none
     * @param answer JSON, empty when only the status counts
     */
    record Rest(int line, String caller, String method, String path, String body, int status, String answer)
            implements CorpusStep {}

    /** Of a call that must be refused with this code and a hint that has these words. */
    record Refusal(int line, Call call, String code, String hint) implements CorpusStep {}
}
