package svc.postgres;

/** What a transaction may do; PostgreSQL enforces it ({@code BEGIN READ ONLY} or {@code READ WRITE}). */
public enum Access {
    READ,
    WRITE
}
