-- Programs of Supabase accept tokens of Supabase's form alone. Each token has a second spelling of that form, which is derived
-- from its secret; stored is the spelling's SHA-256. A token from before this column gets its value when its secret is next used.
ALTER TABLE svc_platform.token
    ADD COLUMN supabase_hash bytea CHECK (octet_length(supabase_hash) = 32),
    ADD CONSTRAINT token_supabase_hash_key UNIQUE (supabase_hash);
