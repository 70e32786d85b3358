package svc.server.management.query.attack;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Limits under which hundreds of attacks fit into a minute; the checks themselves are the platform's own. */
public final class AttackLimits implements QuarkusTestResourceLifecycleManager {
    /** Timeout of a script in seconds; long enough for a machine that stalls for a moment. */
    static final int SECONDS = 6;

    /** Maximum rows of a response. */
    static final int ROWS = 100;

    @Override
    public int order() {
        // After the platform's settings: the last one's win.
        return 1;
    }

    @Override
    public Map<String, String> start() {
        return Map.of(
                "svc.api.sql.per-minute",
                "100000",
                "svc.api.sql.migrations-per-minute",
                "100000",
                "svc.api.sql.timeout",
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
