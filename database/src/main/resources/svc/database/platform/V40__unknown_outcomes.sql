-- A call whose outcome is unknown (500, 502) keeps its key: a repetition gets the same answer and runs nothing.
ALTER TABLE svc_platform.idempotent_call
    DROP CONSTRAINT idempotent_call_status_check,
    ADD CONSTRAINT idempotent_call_status_check CHECK (status BETWEEN 200 AND 399 OR status IN (500, 502)) NOT VALID;
