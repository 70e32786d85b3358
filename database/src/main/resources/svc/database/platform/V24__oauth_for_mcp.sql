-- Sign-in of MCP clients by OAuth 2.1. A client registers itself (RFC 7591); a person allows it with a personal access token,
-- which makes a grant; the client has a code for it once, and then access tokens (rows of mcp_token) and refresh tokens, of
-- which each works once. Every secret is stored as SHA-256.
CREATE TABLE svc_platform.oauth_client (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
    created_at timestamptz NOT NULL,
    -- Null until a person has allowed it for the first time.
    used_at timestamptz
);

CREATE INDEX oauth_client_unused_idx ON svc_platform.oauth_client (created_at) WHERE used_at IS NULL;

CREATE TABLE svc_platform.oauth_grant (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES svc_platform.oauth_client (id) ON DELETE CASCADE,
    organisation_id text NOT NULL REFERENCES svc_platform.organisation (id),
    permissions text[] NOT NULL,
    project_ref text,
    read_only boolean NOT NULL,
    created_by uuid NOT NULL REFERENCES svc_platform.token (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    -- Of the authorization code.
    code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
    code_expires_at timestamptz NOT NULL,
    code_used_at timestamptz,
    redirect_uri text NOT NULL,
    challenge text NOT NULL
);

CREATE INDEX oauth_grant_client_id_idx ON svc_platform.oauth_grant (client_id);
CREATE INDEX oauth_grant_created_by_idx ON svc_platform.oauth_grant (created_by);

CREATE TABLE svc_platform.oauth_refresh_token (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    grant_id uuid NOT NULL REFERENCES svc_platform.oauth_grant (id) ON DELETE CASCADE,
    issued_at timestamptz NOT NULL,
    used_at timestamptz
);

CREATE INDEX oauth_refresh_token_grant_id_idx ON svc_platform.oauth_refresh_token (grant_id);

ALTER TABLE svc_platform.mcp_token ADD COLUMN grant_id uuid REFERENCES svc_platform.oauth_grant (id) ON DELETE CASCADE;

CREATE INDEX mcp_token_grant_id_idx ON svc_platform.mcp_token (grant_id) WHERE grant_id IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON svc_platform.oauth_client, svc_platform.oauth_grant, svc_platform.oauth_refresh_token
    TO svc_platform;
GRANT UPDATE (used_at) ON svc_platform.oauth_client TO svc_platform;
GRANT UPDATE (revoked_at, code_used_at) ON svc_platform.oauth_grant TO svc_platform;
GRANT UPDATE (used_at) ON svc_platform.oauth_refresh_token TO svc_platform;
