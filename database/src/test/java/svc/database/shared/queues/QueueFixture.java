package svc.database.shared.queues;

import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Two projects with a queue of the same name. */
abstract class QueueFixture {
    Tenant tenant;
    Tenant neighbour;
    Connection owner;
    Connection other;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
        owner = tenant.owner();
        other = neighbour.owner();
        Sql.run(other, "SELECT svc_pgmq.create('jobs'); SELECT svc_pgmq.send('jobs', '\"theirs\"')");
    }

    @AfterEach
    void logOut() throws Exception {
        owner.close();
        other.close();
    }

    String value(String sql) throws Exception {
        return Sql.value(owner, sql(sql));
    }

    String state(String sql) {
        return Sql.state(owner, sql(sql));
    }

    /** {@code $S} is the project, {@code $N} its neighbour. */
    String sql(String text) {
        return tenant.fill(text).replace("$N", neighbour.schema());
    }
}
