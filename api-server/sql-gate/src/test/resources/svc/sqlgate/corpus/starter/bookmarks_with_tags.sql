-- Bookmarks app: text[] tags, GIN index, a helper for counting tags
CREATE TABLE bookmarks (
  id SERIAL PRIMARY KEY,
  user_id UUID REFERENCES auth.users(id),
  url TEXT NOT NULL,
  title TEXT,
  tags TEXT[] NOT NULL DEFAULT '{}',
  created_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP,
  UNIQUE (user_id, url)
);

CREATE INDEX idx_bookmarks_tags ON bookmarks USING GIN (tags);
CREATE INDEX idx_bookmarks_created ON bookmarks (created_at DESC NULLS LAST);

CREATE OR REPLACE FUNCTION tag_counts()
RETURNS TABLE (tag TEXT, uses BIGINT) AS $$
  SELECT t, count(*) FROM bookmarks, unnest(tags) AS t GROUP BY t ORDER BY 2 DESC, 1
$$ LANGUAGE sql STABLE;

INSERT INTO bookmarks (url, title, tags) VALUES
  ('https://www.postgresql.org', 'PostgreSQL', ARRAY['db', 'docs']),
  ('https://example.com/a', 'A', '{db,misc}'),
  ('https://example.com/b', NULL, DEFAULT);
-- expect: select * from tag_counts() => [{"tag":"db","uses":2},{"tag":"docs","uses":1},{"tag":"misc","uses":1}]
-- expect: select count(*) from bookmarks where tags @> array['db'] => 2
-- expect as anon: POST /rpc/tag_counts {} => 200 [{"tag":"db","uses":2},{"tag":"docs","uses":1},{"tag":"misc","uses":1}]
-- expect as anon: GET /bookmarks?tags=cs.{misc}&select=id,tags => 200 [{"id":2,"tags":["db","misc"]}]
