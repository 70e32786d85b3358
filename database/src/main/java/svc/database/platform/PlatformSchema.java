package svc.database.platform;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Migrates {@code svc_platform} to the version of this program. Several programs may start at once: Flyway takes a lock. */
public final class PlatformSchema {
    private static final String NAME = "svc_platform";

    private PlatformSchema() {}

    /** @return how many migrations were applied; 0 when the schema was up to date */
    public static int migrate(DataSource platform) {
        return Flyway.configure()
                .dataSource(platform)
                .schemas(NAME)
                .defaultSchema(NAME)
                .createSchemas(true)
                .table("schema_history")
                .locations("classpath:svc/database/platform")
                .cleanDisabled(true)
                .load()
                .migrate()
                .migrationsExecuted;
    }
}
