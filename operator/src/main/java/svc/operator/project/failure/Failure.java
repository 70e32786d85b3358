package svc.operator.project.failure;

/**
 * A failure of a reconciliation, safe to show in a condition.
 *
 * @param condition the condition that it concerns
 * @param reason CamelCase, from the list in docs/operator.md
 * @param message contains no secret, no tenant data and no other namespace
 * @param known false for a bug of the operator: the condition becomes Unknown
 * @param retry whether a retry may succeed; otherwise the next attempt is at the next drift check
 */
public record Failure(String condition, String reason, String message, boolean known, boolean retry) {}
