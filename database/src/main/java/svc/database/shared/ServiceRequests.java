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
 * The queue of services that projects of one shared database use for the first time ({@code svc_guard.service_request}). A
 * request stays until it is completed, so that any operator may process it again after a failure.
 */
public final class ServiceRequests {
    /** Each new request notifies this channel, without a payload. */
    public static final Identifier CHANNEL = Identifier.of("svc_service_request");

    private static final String PENDING =
            "SELECT schema_name, service FROM svc_guard.service_request ORDER BY 1, 2 LIMIT 100";
    private static final String COMPLETE =
            "DELETE FROM svc_guard.service_request WHERE schema_name = ? AND service = ?";

    private ServiceRequests() {}

    /** One project and the service whose tables it needs. */
    public record ServiceRequest(UUID projectId, CompanionSchema service) {}

    /** Reads up to 100 pending requests; call it again after completing them. */
    public static List<ServiceRequest> pending(Connection operator) throws SQLException {
        List<ServiceRequest> requests = new ArrayList<>();
        for (List<String> row : new Session(operator).rows(PENDING)) {
            CompanionSchema service = CompanionSchema.valueOf(row.get(1).toUpperCase(Locale.ROOT));
            ProjectNames.projectIdOf(row.get(0)).ifPresent(id -> requests.add(new ServiceRequest(id, service)));
        }
        return requests;
    }

    /** Removes a request from the queue: its tables exist, or its project is gone. */
    public static void complete(Connection operator, ServiceRequest request) throws SQLException {
        try (PreparedStatement delete = operator.prepareStatement(COMPLETE)) {
            delete.setString(1, ProjectNames.shared(request.projectId()).schemaName());
            delete.setString(2, request.service().label());
            delete.executeUpdate();
        }
    }
}
