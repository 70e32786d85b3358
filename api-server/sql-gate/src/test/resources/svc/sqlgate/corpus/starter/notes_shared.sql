/*
 * Notes with sharing.
 * A note belongs to one user; note_shares lists who else may read it.
 */
CREATE TABLE IF NOT EXISTS public.notes (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    owner_id uuid NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
    title text NOT NULL,
    content text DEFAULT '',
    created_at timestamptz DEFAULT now(),
    updated_at timestamptz DEFAULT now()
);

CREATE TABLE IF NOT EXISTS public.note_shares (
    note_id uuid NOT NULL REFERENCES public.notes(id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
    can_edit boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (note_id, user_id)
);

ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.note_shares ENABLE ROW LEVEL SECURITY;

-- The two policies would read each other without this function
CREATE OR REPLACE FUNCTION public.is_note_owner(p_note_id uuid)
RETURNS boolean
LANGUAGE sql
STABLE
SECURITY DEFINER
SET search_path = public
AS $$
    SELECT EXISTS (SELECT 1 FROM notes WHERE id = p_note_id AND owner_id = auth.uid());
$$;

CREATE POLICY notes_select ON public.notes FOR SELECT TO authenticated
    USING (
        owner_id = auth.uid()
        OR EXISTS (
            SELECT 1 FROM public.note_shares s
            WHERE s.note_id = notes.id AND s.user_id = auth.uid()
        )
    );
CREATE POLICY notes_insert ON public.notes FOR INSERT TO authenticated WITH CHECK (owner_id = auth.uid());
CREATE POLICY notes_update ON public.notes FOR UPDATE TO authenticated
    USING (
        owner_id = auth.uid()
        OR EXISTS (SELECT 1 FROM public.note_shares s WHERE s.note_id = notes.id AND s.user_id = auth.uid() AND s.can_edit)
    )
    WITH CHECK (true);
CREATE POLICY note_shares_all ON public.note_shares FOR ALL TO authenticated
    USING (user_id = auth.uid() OR public.is_note_owner(note_id))
    WITH CHECK (public.is_note_owner(note_id));
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
-- sign up 3 cyd@example.com
-- expect: insert into notes (id, owner_id, title) values ('11111111-1111-4111-8111-111111111111', '00000000-0000-4000-8000-000000000001', 'plan') returning title => "plan"
-- expect as user 2: GET /notes?select=title => 200 []
-- expect as user 2: POST /note_shares {"note_id":"11111111-1111-4111-8111-111111111111","user_id":"00000000-0000-4000-8000-000000000002"} => 403
-- expect as user 1: POST /note_shares {"note_id":"11111111-1111-4111-8111-111111111111","user_id":"00000000-0000-4000-8000-000000000002"} => 201
-- expect as user 2: GET /notes?select=title => 200 [{"title":"plan"}]
-- expect as user 2: PATCH /notes?select=title {"title":"mine"} => 200 []
-- expect as user 3: GET /notes?select=title => 200 []
-- expect as user 3: GET /note_shares => 200 []
