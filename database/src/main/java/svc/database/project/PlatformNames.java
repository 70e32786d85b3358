package svc.database.project;

import svc.database.sql.Identifier;

/** Objects of a database that every project in it shares, made by its one-time preparation. */
final class PlatformNames {
    /** Owns the schemas and the companions; NOLOGIN. */
    static final Identifier COMPANION_OWNER = Identifier.of("svc_companion");

    /** Filtered views under the names of catalog relations. */
    static final Identifier VIEWS = Identifier.of("svc_views");

    static final Identifier CATALOG = Identifier.of("pg_catalog");
    static final Identifier EXTENSIONS = Identifier.of("extensions");

    private PlatformNames() {}
}
