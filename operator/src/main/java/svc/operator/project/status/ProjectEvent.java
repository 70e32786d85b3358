package svc.operator.project.status;

import svc.operator.kubernetes.EventType;

/** An Event to be written. */
public record ProjectEvent(EventType type, String reason, String message) {
    static ProjectEvent normal(String reason, String message) {
        return new ProjectEvent(EventType.NORMAL, reason, message);
    }

    static ProjectEvent warning(String reason, String message) {
        return new ProjectEvent(EventType.WARNING, reason, message);
    }
}
