CREATE TABLE public.coupons (
    code text PRIMARY KEY CHECK (code = upper(code)),
    kind text NOT NULL CHECK (kind IN ('percent', 'fixed')),
    value numeric NOT NULL CHECK (value > 0),
    valid tstzrange NOT NULL DEFAULT tstzrange(now(), NULL),
    max_uses int,
    used int NOT NULL DEFAULT 0,
    CONSTRAINT percent_at_most_100 CHECK (kind <> 'percent' OR value <= 100),
    CONSTRAINT used_at_most_max CHECK (max_uses IS NULL OR used <= max_uses)
);
CREATE INDEX coupons_valid ON public.coupons USING gist (valid);

CREATE FUNCTION public.redeem(p_code text, p_total numeric) RETURNS numeric
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $body$
DECLARE
    c public.coupons;
BEGIN
    UPDATE public.coupons SET used = used + 1
    WHERE code = upper(p_code) AND valid @> pg_catalog.now()
    RETURNING * INTO c;
    IF c IS NULL THEN
        RETURN p_total;
    END IF;
    RETURN GREATEST(0, CASE c.kind WHEN 'percent' THEN p_total * (1 - c.value / 100) ELSE p_total - c.value END);
END
$body$;

ALTER TABLE public.coupons ENABLE ROW LEVEL SECURITY;

INSERT INTO public.coupons (code, kind, value, max_uses, valid) VALUES
    ('TEN', 'percent', 10, 1, DEFAULT),
    ('FIVE', 'fixed', 5, NULL, DEFAULT),
    ('OLD', 'fixed', 5, NULL, '[2020-01-01, 2021-01-01)');
-- expect as anon: POST /rpc/redeem {"p_code":"five","p_total":3} => 200 0
-- expect: select round(redeem('ten', 50), 2) => 45.00
-- expect: select redeem('TEN', 50) => error 23514
-- expect: select redeem('OLD', 50) => 50
-- expect: insert into coupons (code, kind, value) values ('X', 'percent', 101) => error 23514
-- expect as anon: GET /coupons => 200 []
