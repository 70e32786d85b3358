package svc.bench.management;

/** A migration as an agent writes one; it may run again and again. */
final class SampleMigration {
    private static final String PART = """
            -- what a user has to do; part %1$d
            CREATE TABLE IF NOT EXISTS public.todos_%1$d (
              id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
              owner uuid NOT NULL,
              title text NOT NULL CHECK (char_length(title) > 0),
              doc jsonb NOT NULL DEFAULT '{"tags": []}',
              made timestamptz NOT NULL DEFAULT now()
            );
            ALTER TABLE public.todos_%1$d ENABLE ROW LEVEL SECURITY;
            CREATE INDEX IF NOT EXISTS todos_%1$d_owner ON public.todos_%1$d (owner, made DESC);
            DROP POLICY IF EXISTS "own; rows" ON public.todos_%1$d;
            CREATE POLICY "own; rows" ON public.todos_%1$d FOR ALL TO authenticated USING (owner = auth.uid());
            CREATE OR REPLACE FUNCTION public.touch_%1$d() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              NEW.made := now(); -- it's the last change
              RETURN NEW;
            END;
            $$;
            GRANT SELECT, INSERT ON public.todos_%1$d TO authenticated;
            """;

    private SampleMigration() {}

    /** Of about that many bytes, in whole parts of 1 KB. */
    static String ofBytes(int bytes) {
        var text = new StringBuilder();
        for (int part = 0; part == 0 || text.length() < bytes; part++) {
            text.append(PART.formatted(part));
        }
        return text.toString();
    }
}
