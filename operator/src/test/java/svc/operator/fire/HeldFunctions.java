package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Ignore;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.operator.function.EdgeFunctionReconciler;
import svc.operator.testing.TestingOperator;

/** Holds the first reconciliation of a function between two reads of the caches, until they are closed, or for a while. */
final class HeldFunctions {
    /** More than a stopping operator needs to close its caches, if it closes them before the reconciliation ends. */
    static final Duration CLOSING = Duration.ofSeconds(3);

    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    ConfigurableReconciler<EdgeFunction> around(ConfigurableReconciler<EdgeFunction> reconciler) {
        return new Around(reconciler);
    }

    void awaitReading() throws InterruptedException {
        assertThat(reading.await(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    void awaitEnd() throws InterruptedException {
        assertThat(ended.await(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private void hold(Context<EdgeFunction> context) {
        reading.countDown();
        long end = System.nanoTime() + CLOSING.toNanos();
        while (System.nanoTime() < end && !isClosed(context)) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                // As code does that cannot be interrupted, such as a read of a socket.
            }
        }
    }

    private static boolean isClosed(Context<EdgeFunction> context) {
        return context.eventSourceRetriever().getEventSourcesFor(Project.class).stream()
                .map(InformerEventSource.class::cast)
                .allMatch(source -> source.informerHealthIndicators().isEmpty());
    }

    @SuppressWarnings("unchecked")
    private Context<EdgeFunction> heldAfterDeployment(Context<EdgeFunction> context) {
        return (Context<EdgeFunction>) Proxy.newProxyInstance(
                HeldFunctions.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    try {
                        Object found = method.invoke(context, arguments);
                        if (method.getName().equals("getSecondaryResource") && arguments[0] == Deployment.class) {
                            hold(context);
                        }
                        return found;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Ignored by the build of the packaged operator, which would find two reconcilers of one name among the test's classes. */
    @Ignore
    @ControllerConfiguration(name = EdgeFunctionReconciler.NAME)
    private final class Around implements Reconciler<EdgeFunction>, ConfigurableReconciler<EdgeFunction> {
        private final ConfigurableReconciler<EdgeFunction> reconciler;

        Around(ConfigurableReconciler<EdgeFunction> reconciler) {
            this.reconciler = reconciler;
        }

        @Override
        public void updateConfigurationFrom(ControllerConfigurationOverrider<EdgeFunction> controller) {
            reconciler.updateConfigurationFrom(controller);
        }

        @Override
        public List<EventSource<?, EdgeFunction>> prepareEventSources(EventSourceContext<EdgeFunction> context) {
            return reconciler.prepareEventSources(context);
        }

        @Override
        public UpdateControl<EdgeFunction> reconcile(EdgeFunction function, Context<EdgeFunction> context)
                throws Exception {
            if (reading.getCount() == 0) {
                return reconciler.reconcile(function, context);
            }
            try {
                return reconciler.reconcile(function, heldAfterDeployment(context));
            } finally {
                ended.countDown();
            }
        }
    }
}
