package svc.bench.realtime;

import com.sun.management.UnixOperatingSystemMXBean;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import svc.bench.measure.AuthProject;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.bench.measure.Suite;
import svc.crds.project.Project;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * The realtime service beside PostgreSQL, Redis and its clients on one machine: what sockets hold and rooms carry, and how long
 * changes of tables take. The system property {@value #PARTS_PROPERTY} names the parts to measure.
 */
public final class RealtimeSuite implements Suite {
    private static final String PARTS_PROPERTY = "svc.bench.realtime.parts";
    private static final String IDLE_PROPERTY = "svc.bench.realtime.idle";
    private static final String OPTIONS_PROPERTY = "svc.bench.realtime.options";
    private static final int IDLE_SOCKETS = 20_000;

    /** Files of the platform that are no sockets of clients. */
    private static final int OTHER_FILES = 1_200;

    private static final String SETTINGS = "{\"spec\":{\"auth\":{\"anonymousSignIn\":true,"
            + "\"rateLimits\":{\"anonymousPerHour\":1000000}},\"realtime\":{\"maxConnections\":100000,"
            + "\"maxJoinsPerSecond\":100000,\"maxMessagesPerSecond\":100000}}}";

    private final Set<String> parts =
            new TreeSet<>(List.of(System.getProperty(PARTS_PROPERTY, "idle,joins,broadcast,changes,security")
                    .split(",")));

    @Override
    public String name() {
        return "realtime";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(command(data))) {
            var figures = new ArrayList<Figure>();
            AuthProject project = AuthProject.create(platform);
            configure(platform, project.ref());
            project.awaitAnonymousSignIn();
            figures.addAll(unused(platform));
            URI gateway = URI.create(platform.connection().baseUrl()).resolve("/");
            var sockets = new RealtimeSockets(platform, gateway, project);
            var changes = new RealtimeChanges(platform, gateway, project);
            if (parts.contains("joins")) {
                figures.addAll(sockets.joins());
            }
            if (parts.contains("broadcast")) {
                figures.addAll(sockets.broadcast());
            }
            if (parts.contains("changes")) {
                figures.addAll(changes.latency());
            }
            if (parts.contains("security")) {
                figures.addAll(changes.rowSecurity());
            }
            if (parts.contains("idle")) {
                figures.addAll(sockets.idle(idleSockets()));
            }
            return figures;
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static void configure(Platform platform, String ref) throws IOException {
        try (var client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        Files.readString(Path.of(platform.connection().kubeconfig()))))
                .build()) {
            client.resources(Project.class)
                    .inNamespace("svc")
                    .withName(ref)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), SETTINGS);
        }
    }

    private static PlatformCommand command(Path data) throws IOException {
        PlatformCommand command = PlatformCommand.onFreePorts(data)
                // As on a cluster, see StorageSuite.
                .with("-Dquarkus.vertx.prefer-native-transport=false")
                .with("-Xmx1g")
                .with("-Dsvc.api.limits.connections.max=100000")
                .with("-Dsvc.api.limits.connections.per-address=100000");
        for (String option : System.getProperty(OPTIONS_PROPERTY, "").split(" ")) {
            command = option.isEmpty() ? command : command.with(option);
        }
        return command;
    }

    /** As many as asked for, or as the limit of open files of each process allows. */
    private static int idleSockets() {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long files = system.getMaxFileDescriptorCount() - OTHER_FILES;
        return (int) Math.min(files, Integer.getInteger(IDLE_PROPERTY, IDLE_SOCKETS));
    }

    /** Before anything has used the service. */
    private static List<Figure> unused(Platform platform) throws IOException, SQLException {
        BenchDatabase database = BenchDatabase.of(platform);
        int held = database.texts("SELECT slot_name FROM pg_replication_slots").size()
                + database.texts("SELECT usename FROM pg_stat_activity WHERE usename = 'svc_replication'")
                        .size();
        return List.of(Figure.atMost("slots and replication connections without subscribers", held, "", 0));
    }
}
