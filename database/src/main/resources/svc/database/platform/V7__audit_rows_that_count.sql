-- Calls that are denied or throttled have no limit of their own: those of one caller in a minute share a row.
ALTER TABLE svc_platform.sql_call ADD COLUMN calls integer NOT NULL DEFAULT 1 CHECK (calls > 0);

GRANT UPDATE (calls) ON svc_platform.sql_call TO svc_platform;
