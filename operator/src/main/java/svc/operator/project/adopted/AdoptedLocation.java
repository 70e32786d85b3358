package svc.operator.project.adopted;

import java.util.Optional;
import svc.crds.project.AdoptedLogins;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.ProjectDatabase;
import svc.database.key.DerivedKey;
import svc.database.key.MasterKey;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.database.platform.ProjectRecord;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.keys.ProjectMasterKey;

/** The location of an adopted database, for the status. Each password is sealed for the one plane that uses it. Pure. */
public final class AdoptedLocation {
    private AdoptedLocation() {}

    /** @param secretName the name that the status shows for the database */
    public static ProjectDatabase of(
            Complete connection, String secretName, MasterKey masterKey, ProjectRecord project) {
        Optional<Login> owner = connection.owner();
        return new ProjectDatabase(
                secretName,
                connection.host(),
                connection.port(),
                connection.databaseName(),
                DatabaseLayout.ADOPTED,
                connection.trust().sslMode(),
                connection.trust().caCertificates().orElse(null),
                new AdoptedLogins(
                        connection.login().user(),
                        sealed(masterKey, Purpose.SEALED, project, connection.login()),
                        owner.map(Login::user).orElse(null),
                        // The data plane has no owner keys, so it cannot unseal this one.
                        owner.map(login -> sealed(masterKey, Purpose.OWNER, project, login))
                                .orElse(null)));
    }

    private static String sealed(MasterKey masterKey, Purpose purpose, ProjectRecord project, Login login) {
        DerivedKey leaf = masterKey.root(purpose).leaf(project.keyScope(ProjectMasterKey.SEALING_KEY_VERSION));
        return SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, login.password());
    }
}
