CREATE TYPE "UserKind" AS ENUM ('Admin', 'gäst', '日本');
CREATE TABLE public."UserAccounts" (
  "userId" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  "Full Name" text NOT NULL,
  "e-mail" text UNIQUE,
  "größe" numeric(5, 2),
  "select" int DEFAULT 1,
  "kind" "UserKind" NOT NULL DEFAULT 'gäst',
  "имя" text,
  "weird""quote" text DEFAULT 'it''s "fine"',
  U&"d\0061t\+000061" text DEFAULT U&'\0061\00e4',
  "emoji 😀" boolean DEFAULT true
);
CREATE INDEX "Ix UserAccounts" ON "UserAccounts" ("Full Name", "größe" DESC);
CREATE FUNCTION public."getUser"("pId" uuid) RETURNS SETOF public."UserAccounts" LANGUAGE sql STABLE AS $Body$
  SELECT * FROM public."UserAccounts" WHERE "userId" = "pId" $Body$;
CREATE POLICY "Policy with ""quotes"" & ünïcode" ON public."UserAccounts" FOR SELECT USING ("kind" <> 'Admin');
ALTER TABLE public."UserAccounts" ENABLE ROW LEVEL SECURITY;
INSERT INTO "UserAccounts" ("userId", "Full Name", "größe", "имя", kind) VALUES
  ('f0000000-0000-4000-8000-000000000000', 'Ünal', 1.85, 'Юрий', '日本'), ('f1000000-0000-4000-8000-000000000000', 'Root', NULL, NULL, 'Admin');
COMMENT ON COLUMN public."UserAccounts"."weird""quote" IS 'ok';
-- expect as anon: GET /UserAccounts?select=select,kind => 200 [{"select":1,"kind":"日本"}]
-- expect: select "data", "weird""quote" as q, "emoji 😀" as e from "UserAccounts" where "größe" > 1 => [{"data":"aä","q":"it's \"fine\"","e":true}]
-- expect: select "Full Name" as n from "getUser"('f0000000-0000-4000-8000-000000000000') => "Ünal"
-- expect: select policyname from pg_policies where tablename = 'UserAccounts' => "Policy with \"quotes\" & ünïcode"
