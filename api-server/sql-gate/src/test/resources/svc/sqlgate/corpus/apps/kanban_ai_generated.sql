-- ============================================================
-- Kanban App — Supabase Schema 🚀
-- Generated for: React + supabase-js
-- ============================================================

-- 1️⃣ Extensions
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
CREATE EXTENSION IF NOT EXISTS "pgcrypto";

-- 2️⃣ Enums
DO $$ BEGIN
    CREATE TYPE card_priority AS ENUM ('low', 'medium', 'high', 'urgent');
EXCEPTION
    WHEN duplicate_object THEN NULL;
END $$;

-- 3️⃣ Tables
CREATE TABLE IF NOT EXISTS public.boards (
    id UUID PRIMARY KEY DEFAULT uuid_generate_v4(),
    user_id UUID NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
    title TEXT NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE IF NOT EXISTS public.columns (
    id UUID PRIMARY KEY DEFAULT uuid_generate_v4(),
    board_id UUID NOT NULL REFERENCES public.boards(id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    position INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS public.cards (
    id UUID PRIMARY KEY DEFAULT uuid_generate_v4(),
    column_id UUID NOT NULL REFERENCES public.columns(id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    priority card_priority DEFAULT 'medium',
    labels JSONB DEFAULT '[]'::jsonb,
    due_date DATE,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

-- 4️⃣ Indexes
CREATE INDEX IF NOT EXISTS idx_columns_board ON public.columns(board_id, position);
CREATE INDEX IF NOT EXISTS idx_cards_column ON public.cards(column_id);
CREATE INDEX IF NOT EXISTS idx_cards_labels ON public.cards USING GIN(labels);

-- 5️⃣ RLS
ALTER TABLE public.boards ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.columns ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.cards ENABLE ROW LEVEL SECURITY;

DROP POLICY IF EXISTS "Users manage own boards" ON public.boards;
CREATE POLICY "Users manage own boards" ON public.boards
    FOR ALL USING (auth.uid() = user_id) WITH CHECK (auth.uid() = user_id);

DROP POLICY IF EXISTS "Users manage own columns" ON public.columns;
CREATE POLICY "Users manage own columns" ON public.columns
    FOR ALL USING (
        EXISTS (SELECT 1 FROM public.boards WHERE boards.id = columns.board_id AND boards.user_id = auth.uid())
    );

DROP POLICY IF EXISTS "Users manage own cards" ON public.cards;
CREATE POLICY "Users manage own cards" ON public.cards
    FOR ALL USING (
        EXISTS (
            SELECT 1 FROM public.columns
            JOIN public.boards ON boards.id = columns.board_id
            WHERE columns.id = cards.column_id AND boards.user_id = auth.uid()
        )
    );

-- 6️⃣ Triggers
CREATE OR REPLACE FUNCTION public.update_updated_at_column()
RETURNS TRIGGER AS $$
BEGIN
    NEW.updated_at = NOW();
    RETURN NEW;
END;
$$ LANGUAGE 'plpgsql' SECURITY DEFINER;

DROP TRIGGER IF EXISTS update_boards_updated_at ON public.boards;
CREATE TRIGGER update_boards_updated_at BEFORE UPDATE ON public.boards
    FOR EACH ROW EXECUTE FUNCTION public.update_updated_at_column();
DROP TRIGGER IF EXISTS update_cards_updated_at ON public.cards;
CREATE TRIGGER update_cards_updated_at BEFORE UPDATE ON public.cards
    FOR EACH ROW EXECUTE FUNCTION public.update_updated_at_column();

-- 7️⃣ Realtime
ALTER PUBLICATION supabase_realtime ADD TABLE public.boards;
ALTER PUBLICATION supabase_realtime ADD TABLE public.columns;
ALTER PUBLICATION supabase_realtime ADD TABLE public.cards;

-- 8️⃣ Grants
GRANT USAGE ON SCHEMA public TO anon, authenticated;
GRANT ALL ON ALL TABLES IN SCHEMA public TO authenticated;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO authenticated;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO authenticated;

-- 🔄 Reload the schema cache
NOTIFY pgrst, 'reload schema';
-- sign up 1 ada@example.com
-- expect as user 1: POST /boards?select=title {"id":"b0000000-0000-4000-8000-000000000000","title":"Work","user_id":"00000000-0000-4000-8000-000000000001"} => 201 [{"title":"Work"}]
-- expect as user 1: POST /columns?select=title {"id":"c0000000-0000-4000-8000-000000000000","board_id":"b0000000-0000-4000-8000-000000000000","title":"Todo"} => 201 [{"title":"Todo"}]
-- expect as user 1: POST /cards?select=title,priority {"column_id":"c0000000-0000-4000-8000-000000000000","title":"x"} => 201 [{"title":"x","priority":"medium"}]
-- expect as user 1: GET /boards?select=title,columns(title,cards(title)) => 200 [{"title":"Work","columns":[{"title":"Todo","cards":[{"title":"x"}]}]}]
-- expect as user 2: GET /cards => 200 []
-- expect as user 2: POST /cards {"column_id":"c0000000-0000-4000-8000-000000000000","title":"y"} => 403
-- expect: select count(*) from pg_publication_tables where pubname = 'supabase_realtime' => 3
