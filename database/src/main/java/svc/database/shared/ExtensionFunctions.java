package svc.database.shared;

import java.sql.SQLException;
import java.util.List;

/**
 * Functions of extensions: those of an extension that is not allowed are closed; of an allowed one, those that take a
 * reference into the catalog, unless they stand among {@link #REVIEWED}, and those of {@link #REACHING}.
 */
final class ExtensionFunctions implements Section {
    /** Dictionaries are files of the server, which every project may use. */
    private static final String[] REVIEWED = {"unaccent(regdictionary,text)"};

    /**
     * Of PostGIS: statistics of a table that a text names, by its OID too, and coordinate systems given as text, in which PROJ
     * opens files of the server.
     */
    private static final String[] REACHING = {
        "st_estimatedextent",
        "st_findextent",
        "postgis_transform_geometry",
        "postgis_transform_pipeline_geometry",
        "st_transformpipeline",
        "st_inversetransformpipeline"
    };

    private static final String CLOSE = "SELECT 'function ' || p.oid::regprocedure, 'EXECUTE revoked from PUBLIC',"
            + " format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', p.oid::regprocedure)"
            + " FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid"
            + " AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'"
            + " JOIN pg_extension e ON e.oid = d.refobjid"
            + " WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND EXISTS (SELECT FROM"
            + " aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x WHERE x.grantee = 0)"
            + " AND (e.extname <> ALL (?) OR " + AllowList.TAKES_REFERENCE + " AND "
            + AllowList.SIGNATURE + " <> ALL (?) OR p.proname = ANY (?)) ORDER BY 1";

    private final List<String> allowed;

    ExtensionFunctions(List<String> allowed) {
        this.allowed = allowed;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        return session.steps(CLOSE, allowed.toArray(String[]::new), REVIEWED, REACHING);
    }
}
