package svc.management.query.result;

/** What a scalar becomes in JSON. */
enum ValueKind {
    NUMBER,
    BOOLEAN,
    JSON,
    TIMESTAMP,
    TIMESTAMP_WITH_ZONE,
    /** Everything else: its text as a string. */
    TEXT
}
