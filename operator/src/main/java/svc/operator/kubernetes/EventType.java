package svc.operator.kubernetes;

/** Kubernetes' two kinds of Event. */
public enum EventType {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String text;

    EventType(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
