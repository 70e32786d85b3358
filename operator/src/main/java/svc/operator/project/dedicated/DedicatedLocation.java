package svc.operator.project.dedicated;

import svc.crds.project.DatabaseLayout;
import svc.crds.project.ProjectDatabase;
import svc.operator.project.connection.ConnectionSecret.Complete;

/** Where a project's own database is, for the status. Its logins are derived, so no credential is in it. Pure. */
public final class DedicatedLocation {
    private DedicatedLocation() {}

    /** @param name of the Secret or the cluster */
    public static ProjectDatabase of(Complete connection, String name) {
        return new ProjectDatabase(
                name,
                connection.host(),
                connection.port(),
                connection.databaseName(),
                DatabaseLayout.DEDICATED,
                connection.trust().sslMode(),
                connection.trust().caCertificates().orElse(null),
                null);
    }
}
