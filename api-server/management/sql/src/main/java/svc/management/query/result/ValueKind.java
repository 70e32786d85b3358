package svc.management.query.result;

/** The JSON form of a scalar. */
enum ValueKind {
    NUMBER,
    BOOLEAN,
    JSON,
    TIMESTAMP,
    TIMESTAMP_WITH_ZONE,
    /** Everything else, as a string. */
    TEXT
}
