-- The control plane's login. Its password is set with the other platform logins; until then it cannot log in. A role
-- belongs to the whole server, so another database's migration may create it at the same moment.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'svc_platform') THEN
        CREATE ROLE svc_platform LOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

GRANT USAGE ON SCHEMA svc_platform TO svc_platform;
GRANT SELECT, INSERT ON svc_platform.organisation TO svc_platform;

-- Personal access tokens. The secret is shown once and stored as SHA-256: for 256 random bits a slow hash adds no
-- security. A revoked token keeps its row, for the error message and the audit.
CREATE TABLE svc_platform.token (
    id uuid PRIMARY KEY,
    organisation_id text NOT NULL REFERENCES svc_platform.organisation (id),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    -- The last characters of the secret, for recognizing a token in a list.
    hint text NOT NULL CHECK (char_length(hint) <= 8),
    permissions text[] NOT NULL DEFAULT '{}',
    created_by uuid REFERENCES svc_platform.token (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT token_hash_key UNIQUE (hash)
);

CREATE INDEX token_organisation_id_idx ON svc_platform.token (organisation_id, created_at);

GRANT SELECT, INSERT, UPDATE ON svc_platform.token TO svc_platform;
