package svc.embedded.kubernetes.write;

/** Which part of an object a request may change. */
public enum Part {
    OBJECT(""),
    STATUS("status");

    private final String subresource;

    Part(String subresource) {
        this.subresource = subresource;
    }

    /** Its name in paths and in managedFields; empty for the object itself. */
    public String subresource() {
        return subresource;
    }
}
