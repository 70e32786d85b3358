package svc.server.management.query.attack;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * Settings under which hundreds of attacks fit into a minute. The platform's own limits hold as they are; only their numbers
 * are others.
 */
public final class AttackLimits implements QuarkusTestResourceLifecycleManager {
    /** Seconds until a script is cut: what is to run must not be cut by a machine that stood still for a moment. */
    static final int SECONDS = 6;

    /** Rows until an answer is cut. */
    static final int ROWS = 100;

    @Override
    public int order() {
        // After the platform's: the last one's settings hold.
        return 1;
    }

    @Override
    public Map<String, String> start() {
        return Map.of(
                "svc.api.sql.per-minute",
                "100000",
                "svc.api.sql.time",
                SECONDS + "s",
                "svc.api.sql.rows",
                Integer.toString(ROWS),
                "svc.api.limits.control-body",
                "2M");
    }

    @Override
    public void stop() {
        // Nothing was started.
    }
}
