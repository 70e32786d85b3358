-- Tokens of MCP clients. Each belongs to a personal access token and has its rights or fewer, at the time of each call: what
-- that token loses, it loses too. The secret is shown once and stored as SHA-256.
CREATE TABLE svc_platform.mcp_token (
    id uuid PRIMARY KEY,
    organisation_id text NOT NULL REFERENCES svc_platform.organisation (id),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    hint text NOT NULL CHECK (char_length(hint) <= 8),
    permissions text[] NOT NULL DEFAULT '{}',
    -- The only project that it reaches; null for all of the organisation.
    project_ref text,
    read_only boolean NOT NULL,
    created_by uuid NOT NULL REFERENCES svc_platform.token (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    CONSTRAINT mcp_token_hash_key UNIQUE (hash)
);

CREATE INDEX mcp_token_organisation_id_idx ON svc_platform.mcp_token (organisation_id, created_at);
CREATE INDEX mcp_token_created_by_idx ON svc_platform.mcp_token (created_by);

GRANT SELECT, INSERT, DELETE ON svc_platform.mcp_token TO svc_platform;
GRANT UPDATE (revoked_at) ON svc_platform.mcp_token TO svc_platform;
