package svc.database.shared;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import svc.database.name.ProjectNames;
import svc.database.project.companion.CompanionSchema;
import svc.database.sql.Identifier;

/**
 * Projects of one shared database that begin to use a service ({@code svc_guard.service_wish}). A wish stays until it is
 * fulfilled, so it may be taken up again after any failure, also by another operator at the same moment.
 */
public final class ServiceRequests {
    /** On which each new wish is told, without saying whose. */
    public static final Identifier CHANNEL = Identifier.of("svc_service_wish");

    private static final String OPEN =
            "SELECT schema_name, service FROM svc_guard.service_wish ORDER BY 1, 2 LIMIT 100";
    private static final String FULFILLED = "DELETE FROM svc_guard.service_wish WHERE schema_name = ? AND service = ?";

    private ServiceRequests() {}

    /** One project and the service that it uses for the first time. */
    public record Wish(UUID projectId, CompanionSchema service) {}

    /** A hundred of them at most; the others after these are fulfilled. */
    public static List<Wish> open(Connection operator) throws SQLException {
        List<Wish> wishes = new ArrayList<>();
        for (List<String> row : new Session(operator).rows(OPEN)) {
            CompanionSchema service = CompanionSchema.valueOf(row.get(1).toUpperCase(Locale.ROOT));
            ProjectNames.projectIdOf(row.get(0)).ifPresent(id -> wishes.add(new Wish(id, service)));
        }
        return wishes;
    }

    /** Forgets a wish that was fulfilled, or whose project is gone. */
    public static void fulfilled(Connection operator, Wish wish) throws SQLException {
        try (PreparedStatement delete = operator.prepareStatement(FULFILLED)) {
            delete.setString(1, ProjectNames.shared(wish.projectId()).schemaName());
            delete.setString(2, wish.service().label());
            delete.executeUpdate();
        }
    }
}
