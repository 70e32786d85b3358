-- Jobs of projects run SQL as well. Earlier rows hold: the check takes one value more. Its name is the server's, which gave it
-- while the table before this one had another of the same text.
DO $$
DECLARE
    checked name;
BEGIN
    SELECT c.conname INTO STRICT checked FROM pg_catalog.pg_constraint c
    WHERE c.conrelid = 'svc_platform.sql_call'::pg_catalog.regclass AND c.contype = 'c'
      AND pg_catalog.pg_get_constraintdef(c.oid) LIKE '%service_role%';
    EXECUTE pg_catalog.format('ALTER TABLE svc_platform.sql_call DROP CONSTRAINT %I, '
        'ADD CONSTRAINT sql_call_actor_check CHECK (actor IN (''token'', ''service_role'', ''job'')) NOT VALID', checked);
END
$$;
