package svc.operator.project.keys;

/** What became of a project's wish for a Secret with its keys. */
public enum KeysSecretState {
    NOT_WANTED,
    KEPT,
    /** A Secret of that name belongs to somebody else and was left alone. */
    NOT_OWNED
}
