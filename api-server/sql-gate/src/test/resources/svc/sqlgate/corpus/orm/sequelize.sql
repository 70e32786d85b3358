CREATE TYPE "public"."enum_Tasks_state" AS ENUM('todo', 'done');
CREATE TABLE IF NOT EXISTS "Tasks" ("id"   SERIAL , "title" VARCHAR(255) NOT NULL, "state" "public"."enum_Tasks_state" DEFAULT 'todo', "tags" VARCHAR(255)[] DEFAULT ARRAY[]::VARCHAR(255)[], "createdAt" TIMESTAMP WITH TIME ZONE NOT NULL, "updatedAt" TIMESTAMP WITH TIME ZONE NOT NULL, PRIMARY KEY ("id"));
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'Tasks' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname;
INSERT INTO "Tasks" ("id","title","tags","createdAt","updatedAt") VALUES (DEFAULT,'write',ARRAY['a','b']::VARCHAR(255)[],'2024-01-01 00:00:00.000 +00:00','2024-01-01 00:00:00.000 +00:00') RETURNING "id","title","state";
UPDATE "Tasks" SET "state"='done',"updatedAt"='2024-01-02 00:00:00.000 +00:00' WHERE "id" = 1 RETURNING *;
-- expect: select title, state, tags from "Tasks" => [{"title":"write","state":"done","tags":["a","b"]}]
-- expect as anon: GET /Tasks?select=id&updatedAt=gt.2024-01-01T12:00:00Z => 200 [{"id":1}]
