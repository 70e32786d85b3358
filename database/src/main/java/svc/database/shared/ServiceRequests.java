package svc.database.shared;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
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

    private static final int PAGE = 1000;
    private static final String PENDING = "SELECT DISTINCT schema_name FROM svc_guard.service_request"
            + " WHERE schema_name > ? ORDER BY 1 LIMIT " + PAGE;
    private static final String OF_PROJECT =
            "SELECT service FROM svc_guard.service_request WHERE schema_name = ? ORDER BY 1";
    private static final String COMPLETE =
            "DELETE FROM svc_guard.service_request WHERE schema_name = ? AND service = ?";

    private ServiceRequests() {}

    /** One project and the service whose tables it needs. */
    public record ServiceRequest(UUID projectId, CompanionSchema service) {}

    /** All projects with pending requests: those that cannot be processed now must not hide those behind them. */
    public static List<UUID> pending(Connection operator) throws SQLException {
        var session = new Session(operator);
        List<UUID> projects = new ArrayList<>();
        String last = "";
        List<List<String>> page;
        do {
            page = session.rows(PENDING, last);
            for (List<String> row : page) {
                ProjectNames.projectIdOf(row.getFirst()).ifPresent(projects::add);
                last = row.getFirst();
            }
        } while (page.size() == PAGE);
        return projects;
    }

    /** The pending requests of one project, of the services that this release knows. */
    public static List<ServiceRequest> of(Connection operator, UUID projectId) throws SQLException {
        String schema = ProjectNames.shared(projectId).schemaName();
        return new Session(operator)
                .rows(OF_PROJECT, schema).stream()
                        .flatMap(row -> service(row.getFirst()))
                        .map(service -> new ServiceRequest(projectId, service))
                        .toList();
    }

    private static Stream<CompanionSchema> service(String label) {
        return Stream.of(CompanionSchema.values())
                .filter(service -> service.label().equals(label));
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
