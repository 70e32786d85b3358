-- The services that a project has used: their companion schemas have all tables, see LeanCompanion.
ALTER TABLE svc_platform.project ADD COLUMN services text[] NOT NULL DEFAULT '{}';
