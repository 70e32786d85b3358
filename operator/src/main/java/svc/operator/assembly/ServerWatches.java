package svc.operator.assembly;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.List;
import svc.operator.config.OperatorConfig.WatchConfig;
import svc.operator.database.DatabaseLogin;
import svc.operator.database.SharedDatabases;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observer;
import svc.operator.project.ProjectTrigger;
import svc.operator.project.database.PostgresQuarantine;
import svc.operator.watch.WatchSettings;
import svc.operator.watch.database.ProjectRecords;
import svc.operator.watch.database.ServerWatch;
import svc.operator.watch.report.WatchReports;
import svc.operator.watch.rule.WatchLimits;

/** A watch for each shared database, and their reports. */
final class ServerWatches implements AutoCloseable {
    private static final long BYTES_PER_MEBIBYTE = 1024L * 1024;

    private final List<ServerWatch> watches;
    private final WatchReports reports;

    ServerWatches(
            WatchConfig config,
            List<DatabaseLogin> logins,
            SharedDatabases databases,
            KubernetesClient client,
            InstantSource clock,
            Observer observer,
            ProjectTrigger trigger) {
        var settings = settings(config);
        this.reports = new WatchReports(
                client,
                new ProjectRecords(databases.platform(), clock),
                new ResourceEvents(client, clock, observer),
                observer,
                new PostgresQuarantine(databases::database)::close,
                trigger::trigger);
        this.watches = config.enabled()
                ? logins.stream()
                        .map(login -> new ServerWatch(login, settings, reports, clock))
                        .toList()
                : List.of();
    }

    private static WatchSettings settings(WatchConfig config) {
        // The limit of locks is a share of each server's.
        return new WatchSettings(
                config.interval(),
                config.lockShare(),
                new WatchLimits(
                        1,
                        config.requestTime(),
                        config.scriptTime(),
                        config.maintenanceTime(),
                        config.temporaryFilesMb() * BYTES_PER_MEBIBYTE,
                        config.strikes(),
                        config.strikeWindow(),
                        config.stuck(),
                        new WatchLimits.Rates(config.processors(), config.walMbPerMinute() * BYTES_PER_MEBIBYTE),
                        config.grace()));
    }

    void start() {
        watches.forEach(ServerWatch::start);
    }

    @Override
    public void close() {
        watches.forEach(ServerWatch::close);
        reports.close();
    }
}
