-- The role of a caller of the API that a script ran in (?as=); null for the project's owner.
ALTER TABLE svc_platform.sql_call ADD COLUMN run_as text CHECK (run_as IN ('anon', 'authenticated'));
