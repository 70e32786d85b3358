CREATE TABLE "migrations" ("id" SERIAL NOT NULL, "timestamp" bigint NOT NULL, "name" character varying NOT NULL, CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY ("id"));
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
START TRANSACTION;
CREATE TYPE "public"."user_status_enum" AS ENUM('active', 'blocked');
CREATE TABLE "user" ("id" uuid NOT NULL DEFAULT uuid_generate_v4(), "firstName" character varying NOT NULL, "status" "public"."user_status_enum" NOT NULL DEFAULT 'active', "createdAt" TIMESTAMP NOT NULL DEFAULT now(), "deletedAt" TIMESTAMP, "version" integer NOT NULL, CONSTRAINT "PK_cace4a159ff9f2512dd42373760" PRIMARY KEY ("id"));
CREATE INDEX "IDX_first" ON "user" ("firstName") ;
INSERT INTO "migrations"("timestamp", "name") VALUES (1700000000000, 'Init1700000000000');
COMMIT;
-- next call
START TRANSACTION;
SELECT * FROM current_schema();
SELECT "table_schema", "table_name", obj_description(('"' || "table_schema" || '"."' || "table_name" || '"')::regclass, 'pg_class') AS table_comment FROM "information_schema"."tables" WHERE ("table_schema" = 'public' AND "table_name" = 'user');
ALTER TYPE "public"."user_status_enum" RENAME TO "user_status_enum_old";
CREATE TYPE "public"."user_status_enum" AS ENUM('active', 'blocked', 'invited');
ALTER TABLE "user" ALTER COLUMN "status" DROP DEFAULT;
ALTER TABLE "user" ALTER COLUMN "status" TYPE "public"."user_status_enum" USING "status"::"text"::"public"."user_status_enum";
ALTER TABLE "user" ALTER COLUMN "status" SET DEFAULT 'invited';
DROP TYPE "public"."user_status_enum_old";
ALTER TABLE "user" ADD "age" integer;
COMMENT ON COLUMN "user"."age" IS NULL;
DROP INDEX "public"."IDX_first";
INSERT INTO "migrations"("timestamp", "name") VALUES (1700000000001, 'Status1700000000001');
COMMIT;
-- expect: insert into "user" ("firstName", version) values ('Ada', 1) returning status, age => [{"status":"invited","age":null}]
-- expect: select count(*) from migrations => 2
-- expect: select to_regclass('public."IDX_first"') => null
