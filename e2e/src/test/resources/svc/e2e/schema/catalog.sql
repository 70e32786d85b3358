-- The server's own catalog of one schema, a row for each row of a catalog, all columns but those listed here. References become
-- the identity of what they refer to, as the server says (pg_get_catalog_foreign_keys, pg_identify_object); expressions are
-- deparsed. It shares nothing with the queries of the command line.
--
-- Not compared: numbers and files of a row (oid, relfilenode, statistics, transaction ids), the positions of columns behind
-- dropped ones, who granted, the options of the toast table, and whether a key is inherited, which the server sets in two ways.

CREATE OR REPLACE FUNCTION pg_temp.identified(catalog regclass, row_ jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    k record;
    value jsonb;
BEGIN
    FOR k IN SELECT fkcols[1] AS name, pktable FROM pg_get_catalog_foreign_keys()
             WHERE fktable = catalog AND cardinality(fkcols) = 1 AND pkcols = ARRAY['oid'] LOOP
        value := row_ -> k.name;
        IF jsonb_typeof(value) = 'array' OR (jsonb_typeof(value) = 'string' AND value #>> '{}' ~ '^[0-9]+( [0-9]+)*$') THEN
            row_ := row_ || jsonb_build_object(k.name, (
                SELECT jsonb_agg((pg_identify_object(k.pktable, e.oid::oid, 0)).identity ORDER BY e.at)
                FROM unnest(CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT jsonb_array_elements_text(value))
                            ELSE string_to_array(value #>> '{}', ' ') END) WITH ORDINALITY e (oid, at)));
        ELSIF jsonb_typeof(value) = 'number' THEN
            row_ := row_ || jsonb_build_object(k.name, CASE WHEN value::text <> '0'
                THEN (pg_identify_object(k.pktable, value::text::oid, 0)).identity END);
        END IF;
    END LOOP;
    RETURN row_;
END $$;

CREATE OR REPLACE FUNCTION pg_temp.granted(list aclitem[]) RETURNS jsonb LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(entry ORDER BY entry), '[]') FROM (
        SELECT DISTINCT format('%s %s%s', CASE WHEN x.grantee = 0 THEN 'public' ELSE x.grantee::regrole::text END, x.privilege_type,
            CASE WHEN x.is_grantable THEN ' grantable' ELSE '' END) AS entry FROM aclexplode(list) x) e
$$;

CREATE OR REPLACE FUNCTION pg_temp.catalog(schema text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    space oid := to_regnamespace(quote_ident(schema));
    found record;
BEGIN
    FOR found IN
        SELECT 'pg_class' AS catalog, c.relname::text AS name, pg_temp.identified('pg_class', to_jsonb(c)
            - '{oid,reltype,relfilenode,relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid,reltoastrelid,relnatts,relrewrite,relpartbound,relacl,relowner,relhasindex,relhasrules,relhastriggers,relhassubclass}'::text[])
            || jsonb_build_object('relpartbound', pg_get_expr(c.relpartbound, c.oid), 'relacl',
                CASE WHEN c.relkind IN ('r', 'p', 'v', 'm', 'S') THEN
                    pg_temp.granted(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))) END) AS row_
            FROM pg_class c WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_attribute', format('%s.%s', c.relname, a.attname), pg_temp.identified('pg_attribute', to_jsonb(a)
            - '{attnum,attacl,attmissingval,atthasmissing,attcacheoff}'::text[])
            || jsonb_build_object('at', row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), 'attacl', pg_temp.granted(a.attacl))
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = space AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT 'pg_attrdef', format('%s.%s', c.relname, a.attname), to_jsonb(pg_get_expr(d.adbin, d.adrelid))
            FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.adnum
            WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_constraint', format('%s%s.%s', c.relname, t.typname, k.conname), pg_temp.identified('pg_constraint', to_jsonb(k)
            - '{oid,conkey,confkey,confdelsetcols,conbin}'::text[] - CASE WHEN k.contype IN ('p', 'u', 'x') THEN 'connoinherit' ELSE '' END) || jsonb_build_object('definition', pg_get_constraintdef(k.oid))
            FROM pg_constraint k LEFT JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_type t ON t.oid = k.contypid
            WHERE k.connamespace = space AND k.contype <> 't'
        UNION ALL
        SELECT 'pg_index', i.relname, pg_temp.identified('pg_index', to_jsonb(x) - '{indkey,indexprs,indpred,indcheckxmin}'::text[])
            || jsonb_build_object('definition', pg_get_indexdef(i.oid))
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE i.relnamespace = space
        UNION ALL
        SELECT 'pg_proc', p.oid::regprocedure::text, pg_temp.identified('pg_proc', to_jsonb(p)
            - '{oid,proargdefaults,prosqlbody,proacl,proowner}'::text[])
            || jsonb_build_object('proacl', pg_temp.granted(coalesce(p.proacl, acldefault('f', p.proowner))),
                'definition', CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) END)
            FROM pg_proc p WHERE p.pronamespace = space
        UNION ALL
        SELECT 'pg_aggregate', p.oid::regprocedure::text, pg_temp.identified('pg_aggregate', to_jsonb(a) - 'aggfnoid')
            FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid WHERE p.pronamespace = space
        UNION ALL
        SELECT 'pg_type', t.typname, pg_temp.identified('pg_type', to_jsonb(t) - '{oid,typdefaultbin,typacl,typowner}'::text[])
            || jsonb_build_object('typacl', pg_temp.granted(coalesce(t.typacl, acldefault('T', t.typowner))))
            FROM pg_type t WHERE t.typnamespace = space
        UNION ALL
        SELECT 'pg_enum', t.typname, (SELECT jsonb_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)
            FROM pg_type t WHERE t.typnamespace = space AND t.typtype = 'e'
        UNION ALL
        SELECT 'pg_range', t.typname, pg_temp.identified('pg_range', to_jsonb(r)) FROM pg_range r JOIN pg_type t ON t.oid = r.rngtypid
            WHERE t.typnamespace = space
        UNION ALL
        SELECT 'pg_trigger', format('%s.%s', c.relname, g.tgname), pg_temp.identified('pg_trigger', to_jsonb(g)
            - '{oid,tgattr,tgqual,tgargs}'::text[]) || jsonb_build_object('definition', pg_get_triggerdef(g.oid))
            FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
            WHERE NOT g.tgisinternal AND (c.relnamespace = space OR p.pronamespace = space)
        UNION ALL
        SELECT 'pg_policy', format('%s.%s', c.relname, o.polname), pg_temp.identified('pg_policy', to_jsonb(o)
            - '{oid,polqual,polwithcheck,polroles}'::text[]) || jsonb_build_object('using', pg_get_expr(o.polqual, o.polrelid),
                'check', pg_get_expr(o.polwithcheck, o.polrelid),
                'roles', (SELECT jsonb_agg(CASE WHEN r = 0 THEN 'public' ELSE r::regrole::text END ORDER BY r) FROM unnest(o.polroles) r))
            FROM pg_policy o JOIN pg_class c ON c.oid = o.polrelid WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_rewrite', format('%s.%s', c.relname, w.rulename), to_jsonb(pg_get_ruledef(w.oid))
            FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_sequence', c.relname, pg_temp.identified('pg_sequence', to_jsonb(s)) || jsonb_build_object('owner', (
                SELECT jsonb_agg(d.deptype::text || ' ' || (pg_identify_object(d.refclassid, d.refobjid, d.refobjsubid)).identity) FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refobjsubid > 0))
            FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_inherits', c.relname, pg_temp.identified('pg_inherits', to_jsonb(i)) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_partitioned_table', c.relname, pg_temp.identified('pg_partitioned_table', to_jsonb(p) - '{partattrs,partexprs}'::text[])
            || jsonb_build_object('definition', pg_get_partkeydef(c.oid))
            FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid WHERE c.relnamespace = space
        UNION ALL
        SELECT 'pg_statistic_ext', s.stxname, pg_temp.identified('pg_statistic_ext', to_jsonb(s) - '{oid,stxkeys,stxexprs,stxowner}'::text[])
            || jsonb_build_object('definition', pg_get_statisticsobjdef(s.oid))
            FROM pg_statistic_ext s WHERE s.stxnamespace = space
        UNION ALL
        SELECT 'pg_collation', l.collname, pg_temp.identified('pg_collation', to_jsonb(l) - '{oid,collowner}'::text[])
            FROM pg_collation l WHERE l.collnamespace = space
        UNION ALL
        SELECT 'pg_ts_dict', d.dictname, pg_temp.identified('pg_ts_dict', to_jsonb(d) - '{oid,dictowner}'::text[])
            FROM pg_ts_dict d WHERE d.dictnamespace = space
        UNION ALL
        SELECT 'pg_description', format('%s %s', o.type, o.identity), to_jsonb(d.description)
            FROM pg_description d CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) o
            WHERE strpos(o.identity, catalog.schema) > 0 AND o.type <> 'schema'
        UNION ALL
        SELECT 'pg_default_acl', a.defaclobjtype::text, pg_temp.granted(a.defaclacl) FROM pg_default_acl a WHERE a.defaclnamespace = space
    LOOP
        RETURN NEXT format('%s %s %s', found.catalog, found.name, found.row_);
    END LOOP;
END $$;
