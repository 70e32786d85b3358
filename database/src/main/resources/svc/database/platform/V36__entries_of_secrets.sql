-- Links by which a person enters the value of a function's secret that an MCP client asked for: the value never passes through
-- the client. A link is for one project, one name and one use, and ends with the token that asked for it.
CREATE TABLE svc_platform.secret_entry (
    -- SHA-256 of the random part of the link.
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    organisation_id text NOT NULL REFERENCES svc_platform.organisation (id),
    project_id uuid NOT NULL,
    ref text NOT NULL,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
    -- Whether the value may replace an existing one.
    replaces boolean NOT NULL,
    -- A personal access token or a token of an MCP client; an access token of OAuth lives shorter than its grant.
    token_id uuid NOT NULL,
    parent_id uuid NOT NULL REFERENCES svc_platform.token (id),
    grant_id uuid,
    client text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);

CREATE INDEX secret_entry_expires_at_idx ON svc_platform.secret_entry (expires_at);
CREATE INDEX secret_entry_token_id_idx ON svc_platform.secret_entry (token_id, created_at);

GRANT SELECT, INSERT, DELETE ON svc_platform.secret_entry TO svc_platform;
GRANT UPDATE (used_at) ON svc_platform.secret_entry TO svc_platform;
