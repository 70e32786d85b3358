CREATE TABLE "public"."flyway_schema_history" (
    "installed_rank" INT NOT NULL,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INTEGER,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
    "execution_time" INTEGER NOT NULL,
    "success" BOOLEAN NOT NULL,
    CONSTRAINT "flyway_schema_history_pk" PRIMARY KEY ("installed_rank")
);
CREATE INDEX "flyway_schema_history_s_idx" ON "public"."flyway_schema_history" ("success");
INSERT INTO "public"."flyway_schema_history" ("installed_rank", "version", "description", "type", "script", "checksum", "installed_by", "execution_time", "success")
VALUES (1, '1', 'init', 'SQL', 'V1__init.sql', -12, current_user, 5, TRUE);
SELECT EXISTS ( SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relname = 'flyway_schema_history' AND c.relkind IN ('r', 'p') );
-- expect: select exists (select 1 from pg_catalog.pg_tables where schemaname = 'public' and tablename = 'flyway_schema_history') => true
-- expect: select count(*) from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' => 1
