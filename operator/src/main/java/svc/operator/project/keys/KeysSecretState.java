package svc.operator.project.keys;

/** The state of the keys Secret that a project's spec requests. */
public enum KeysSecretState {
    NOT_REQUESTED,
    PRESENT,
    /** A Secret of that name exists and is not owned by the project; it was not changed. */
    NOT_OWNED
}
