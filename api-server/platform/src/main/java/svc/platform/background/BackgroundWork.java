package svc.platform.background;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;

/** The runner that services register their loops with. */
@ApplicationScoped
class BackgroundWork {
    /** Few, because each run takes a connection that requests need as well. */
    private static final RunnerSettings SETTINGS = RunnerSettings.of(6, 4, Duration.ofMinutes(5));

    @Produces
    @Singleton
    ProjectRunner runner() {
        return new ProjectRunner("background", SETTINGS);
    }

    void close(@Disposes ProjectRunner runner) {
        runner.close();
    }
}
