-- Calls of the Management API that were sent with an Idempotency-Key, and their answers. A row is first a claim on its key, while
-- the call runs; it becomes the answer when the call has succeeded. A call that was refused or failed leaves none.
CREATE TABLE svc_platform.idempotent_call (
    token_id uuid NOT NULL,
    -- SHA-256 of the header.
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    organisation_id text NOT NULL,
    -- SHA-256 of method, path and body: the same key with another call is an error of the caller.
    call_hash bytea NOT NULL CHECK (octet_length(call_hash) = 32),
    -- Of the process that runs the call; it alone may write how it ended.
    claim uuid NOT NULL,
    started_at timestamptz NOT NULL,
    -- The end of the claim while the call runs, and later of the answer. The key is free from then on.
    expires_at timestamptz NOT NULL,
    -- Null while the call runs.
    status smallint CHECK (status BETWEEN 200 AND 399),
    -- Sealed with the caller's token, which the platform does not have; null while the call runs, and for an answer that was too
    -- large to be kept.
    answer bytea,
    bytes integer NOT NULL DEFAULT 0 CHECK (bytes = coalesce(octet_length(answer), 0)),
    PRIMARY KEY (token_id, key_hash),
    CONSTRAINT idempotent_call_answer_check CHECK (status IS NOT NULL OR answer IS NULL)
);

CREATE INDEX idempotent_call_organisation_id_idx ON svc_platform.idempotent_call (organisation_id) INCLUDE (token_id, bytes);
CREATE INDEX idempotent_call_expires_at_idx ON svc_platform.idempotent_call (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON svc_platform.idempotent_call TO svc_platform;
