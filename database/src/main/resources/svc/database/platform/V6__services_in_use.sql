-- Which services a project has used: their companions have all their tables, see LeanCompanion.
ALTER TABLE svc_platform.project ADD COLUMN services text[] NOT NULL DEFAULT '{}';
