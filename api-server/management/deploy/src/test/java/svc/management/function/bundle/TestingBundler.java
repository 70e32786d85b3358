package svc.management.function.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.process.SandboxHome;

/** A pool of bundlers with its own settings, and short ways to ask it. */
final class TestingBundler implements AutoCloseable {
    private static final Caller CALLER = new Caller("organization", "project");

    private final BundlerPool pool;

    TestingBundler(Settings settings) {
        this.pool = new BundlerPool(() -> SandboxHome.find(Optional.empty()), RegistryPolicy.of(settings), settings);
    }

    /** With one registry for everything. */
    static TestingBundler with(TestingRegistry registry) {
        return new TestingBundler(Settings.of(registry));
    }

    record Settings(
            List<String> importHosts,
            String npmRegistry,
            String jsrRegistry,
            boolean privateRegistries,
            int bundlers,
            int queue,
            Duration bundleTime,
            Duration bootTime)
            implements BundleConfig {
        static Settings of(TestingRegistry registry) {
            return new Settings(
                    List.of(registry.origin(), "esm.sh"),
                    registry.origin(),
                    registry.origin(),
                    true,
                    1,
                    4,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20));
        }

        Settings withTime(Duration time) {
            return new Settings(
                    importHosts, npmRegistry, jsrRegistry, privateRegistries, bundlers, queue, time, bootTime);
        }

        Settings withQueue(int length) {
            return new Settings(
                    importHosts, npmRegistry, jsrRegistry, privateRegistries, bundlers, length, bundleTime, bootTime);
        }

        Settings withBundlers(int count) {
            return new Settings(
                    importHosts, npmRegistry, jsrRegistry, privateRegistries, count, queue, bundleTime, bootTime);
        }

        Settings publicOnly(List<String> hosts) {
            return new Settings(hosts, npmRegistry, jsrRegistry, false, bundlers, queue, bundleTime, bootTime);
        }

        Settings withNpm(String registry) {
            return new Settings(importHosts, registry, jsrRegistry, false, bundlers, queue, bundleTime, bootTime);
        }
    }

    BundleResult bundle(String source, Map<String, String> files) {
        return bundle(CALLER, source, files);
    }

    /** On behalf of a project. */
    BundleResult bundle(Caller caller, String source, Map<String, String> files) {
        return pool.bundle(caller, new BundleRequest("hello", "index.ts", source, files, Optional.empty()));
    }

    BundleResult bundle(BundleRequest request) {
        return pool.bundle(CALLER, request);
    }

    String code(String source, Map<String, String> files) {
        return codeOf(bundle(source, files));
    }

    String code(String source) {
        return code(source, Map.of());
    }

    static String codeOf(BundleResult result) {
        assertThat(result).isInstanceOf(BundleResult.Bundled.class);
        return ((BundleResult.Bundled) result).code();
    }

    /** The first of the faults. */
    BundleFault fault(String source, Map<String, String> files) {
        return faultOf(bundle(source, files));
    }

    BundleFault fault(String source) {
        return fault(source, Map.of());
    }

    static BundleFault faultOf(BundleResult result) {
        assertThat(result).isInstanceOf(BundleResult.Refused.class);
        return ((BundleResult.Refused) result).faults().getFirst();
    }

    @Override
    public void close() {
        pool.close();
    }
}
