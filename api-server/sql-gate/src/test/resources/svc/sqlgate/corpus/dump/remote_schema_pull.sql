-- What `db pull` writes for a small project
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE EXTENSION IF NOT EXISTS "pg_trgm" WITH SCHEMA "extensions";
CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";
CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA "extensions";

CREATE OR REPLACE FUNCTION "public"."hello"("name" "text" DEFAULT 'world'::"text") RETURNS "text"
    LANGUAGE "sql" IMMUTABLE
    AS $$ select 'hello ' || name $$;

ALTER FUNCTION "public"."hello"("name" "text") OWNER TO "postgres";

SET default_tablespace = '';
SET default_table_access_method = "heap";

CREATE TABLE IF NOT EXISTS "public"."notes" (
    "id" "uuid" DEFAULT "extensions"."uuid_generate_v4"() NOT NULL,
    "title" "text",
    "inserted_at" timestamp with time zone DEFAULT "timezone"('utc'::"text", "now"()) NOT NULL,
    "embedding" "jsonb" DEFAULT '[]'::"jsonb",
    CONSTRAINT "notes_title_check" CHECK (("char_length"("title") > 2))
);

ALTER TABLE ONLY "public"."notes" FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY "public"."notes" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "public"."notes" OWNER TO "postgres";

ALTER TABLE ONLY "public"."notes"
    ADD CONSTRAINT "notes_pkey" PRIMARY KEY ("id");

CREATE INDEX "notes_title_idx" ON "public"."notes" USING "gin" ("title" "extensions"."gin_trgm_ops");

CREATE POLICY "Enable read access for all users" ON "public"."notes" FOR SELECT USING (true);
CREATE POLICY "Enable insert for authenticated users only" ON "public"."notes" FOR INSERT TO "authenticated" WITH CHECK (true);
ALTER TABLE "public"."notes" ENABLE ROW LEVEL SECURITY;

ALTER PUBLICATION "supabase_realtime" ADD TABLE ONLY "public"."notes";
GRANT USAGE ON SCHEMA "public" TO "postgres";
GRANT USAGE ON SCHEMA "public" TO "anon";
GRANT USAGE ON SCHEMA "public" TO "authenticated";
GRANT USAGE ON SCHEMA "public" TO "service_role";
GRANT ALL ON FUNCTION "public"."hello"("name" "text") TO "anon";
GRANT ALL ON TABLE "public"."notes" TO "anon";
GRANT ALL ON TABLE "public"."notes" TO "authenticated";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON SEQUENCES  TO "anon";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES  TO "anon";
-- expect as user 1: POST /notes?select=title {"title":"abc"} => 201 [{"title":"abc"}]
-- expect as anon: POST /notes {"title":"abc"} => 401
-- expect as anon: GET /notes?select=title => 200 [{"title":"abc"}]
-- expect: select hello() => "hello world"
-- expect: select schemaname = 'public' as own, tablename from pg_publication_tables where pubname = 'supabase_realtime' => [{"own":true,"tablename":"notes"}]
