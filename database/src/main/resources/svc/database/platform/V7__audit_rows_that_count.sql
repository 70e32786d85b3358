-- Denied and throttled calls are unlimited: those of one caller within a minute share a row.
ALTER TABLE svc_platform.sql_call ADD COLUMN calls integer NOT NULL DEFAULT 1 CHECK (calls > 0);

GRANT UPDATE (calls) ON svc_platform.sql_call TO svc_platform;
