-- Versions as Supabase's command line takes them: any digits, such as those of 001_init.sql. They order as text, byte by byte.
ALTER TABLE svc_platform.migration
    DROP CONSTRAINT migration_version_check,
    ADD CONSTRAINT migration_version_check CHECK (version ~ '^[0-9]{1,32}$'),
    DROP CONSTRAINT migration_name_check,
    ADD CONSTRAINT migration_name_check CHECK (char_length(name) BETWEEN 1 AND 255);
