package svc.operator.project.dedicated;

import svc.crds.project.DatabaseLayout;
import svc.crds.project.ProjectDatabase;
import svc.operator.project.connection.ConnectionSecret.Complete;

/** The location of a dedicated database, for the status. Holds no credential: the logins are derived. Pure. */
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
