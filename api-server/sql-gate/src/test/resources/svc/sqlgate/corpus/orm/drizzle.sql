DO $$ BEGIN
 CREATE TYPE "public"."popularity" AS ENUM('unknown', 'known', 'popular');
EXCEPTION
 WHEN duplicate_object THEN null;
END $$;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "cities" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" varchar(256),
	"country_id" integer,
	"popularity" "popularity" DEFAULT 'unknown'
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "countries" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" varchar(256),
	"created_at" timestamp DEFAULT now() NOT NULL,
	CONSTRAINT "countries_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "countries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$ BEGIN
 ALTER TABLE "cities" ADD CONSTRAINT "cities_country_id_countries_id_fk" FOREIGN KEY ("country_id") REFERENCES "public"."countries"("id") ON DELETE no action ON UPDATE no action;
EXCEPTION
 WHEN duplicate_object THEN null;
END $$;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "name_idx" ON "countries" USING btree ("name");--> statement-breakpoint
CREATE POLICY "countries_read" ON "countries" AS PERMISSIVE FOR SELECT TO "anon", "authenticated" USING (true);
-- expect: insert into countries (name) values ('DE') returning id => 1
-- expect: insert into cities (name, country_id, popularity) values ('Berlin', 1, 'popular') returning popularity => "popular"
-- expect as anon: GET /cities?select=name,countries(name) => 200 [{"name":"Berlin","countries":{"name":"DE"}}]
-- expect: insert into cities (country_id) values (7) => error 23503
