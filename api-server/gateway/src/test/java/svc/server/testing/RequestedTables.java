package svc.server.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import svc.database.shared.ServiceRequests;
import svc.database.shared.ServiceRequests.ServiceRequest;
import svc.postgres.script.TestingOwner;

/** Makes the tables of the auth service for projects that request them, as the operator does. */
final class RequestedTables {
    private static final Logger LOG = Logger.getLogger(RequestedTables.class);
    private static final int VALID_SECONDS = 10;
    private static final Map<UUID, TestingOwner> OWNERS = new ConcurrentHashMap<>();

    static {
        Thread.ofPlatform().daemon().name("requested-tables").start(RequestedTables::watch);
    }

    private RequestedTables() {}

    static void serve(TestingOwner owner) {
        OWNERS.put(owner.names().projectId(), owner);
    }

    /** Until the server stops. On one connection: a later class loader knows no driver for this thread. */
    private static void watch() {
        try (Connection operator = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            while (true) {
                try {
                    make(operator);
                } catch (SQLException | IllegalStateException e) {
                    if (!operator.isValid(VALID_SECONDS)) {
                        throw e;
                    }
                    // A deadlock with a test, for example; the request is still there.
                    LOG.warn("tables are made at the next look", e);
                }
                Thread.sleep(50);
            }
        } catch (SQLException | IllegalStateException e) {
            LOG.debug("no more tables are made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void make(Connection operator) throws SQLException {
        for (UUID project : ServiceRequests.pending(operator)) {
            TestingOwner owner = OWNERS.get(project);
            if (owner != null) {
                owner.completeAuth();
            }
            for (ServiceRequest request : ServiceRequests.of(operator, project)) {
                ServiceRequests.complete(operator, request);
            }
        }
    }
}
