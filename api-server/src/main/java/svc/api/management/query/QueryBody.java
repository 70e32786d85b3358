package svc.api.management.query;

/**
 * The body of a call that runs SQL. {@code parameters} and {@code read_only} do not exist yet and are refused like every
 * unknown field, so that nobody believes in a read-only call that is none.
 *
 * @param query one or several statements
 */
public record QueryBody(String query) {}
