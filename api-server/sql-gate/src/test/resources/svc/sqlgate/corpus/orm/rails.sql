BEGIN;
CREATE TABLE "schema_migrations" ("version" character varying NOT NULL PRIMARY KEY);
CREATE TABLE "ar_internal_metadata" ("key" character varying NOT NULL PRIMARY KEY, "value" character varying, "created_at" timestamp(6) NOT NULL, "updated_at" timestamp(6) NOT NULL);
INSERT INTO "ar_internal_metadata" ("key", "value", "created_at", "updated_at") VALUES ('environment', 'production', '2024-01-01 00:00:00', '2024-01-01 00:00:00') RETURNING "key";
COMMIT;
BEGIN;
CREATE TABLE "users" ("id" bigserial primary key, "email" character varying DEFAULT '' NOT NULL, "admin" boolean DEFAULT FALSE, "created_at" timestamp(6) NOT NULL, "updated_at" timestamp(6) NOT NULL);
CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email");
CREATE TABLE "posts" ("id" bigserial primary key, "user_id" bigint NOT NULL, "title" character varying, "body" text, "created_at" timestamp(6) NOT NULL, "updated_at" timestamp(6) NOT NULL, CONSTRAINT "fk_rails_5b5ddfd518"
FOREIGN KEY ("user_id")
  REFERENCES "users" ("id")
);
CREATE INDEX "index_posts_on_user_id" ON "posts" ("user_id");
ALTER TABLE "posts" ADD "published" boolean DEFAULT FALSE NOT NULL;
ALTER TABLE "posts" ADD CONSTRAINT chk_rails_title CHECK (title <> '') NOT VALID;
INSERT INTO "schema_migrations" (version) VALUES ('20240101000001'),
('20240101000002') RETURNING "version";
COMMIT;
-- expect: select count(*) from schema_migrations => 2
-- expect: insert into users (email, created_at, updated_at) values ('x@y.z', now(), now()) returning id, admin => [{"id":1,"admin":false}]
-- expect: insert into posts (user_id, title, created_at, updated_at) values (1, '', now(), now()) => error 23514
