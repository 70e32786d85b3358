package svc.operator.project.failure;

/**
 * A failure as it may be shown to whoever sees the resource.
 *
 * @param condition the condition it speaks of
 * @param reason CamelCase, from the list in docs/operator.md
 * @param message names no secret, no value of a tenant and no other namespace
 * @param known false for a fault of the operator itself: then nobody knows whether the condition holds
 * @param retry whether trying again soon can help; otherwise the drift interval is soon enough
 */
public record Failure(String condition, String reason, String message, boolean known, boolean retry) {}
