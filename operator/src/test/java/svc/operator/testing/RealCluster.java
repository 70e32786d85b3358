package svc.operator.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import svc.embedded.cluster.ControlPlane;

/** Kubernetes' own API server, with role-based access control: the operator has its ServiceAccount's rights and no more. */
public final class RealCluster implements TestingCluster {
    private final ControlPlane plane;
    private Config operator;

    RealCluster(Path program) {
        try {
            this.plane = ControlPlane.start(program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting Kubernetes", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(plane::close));
    }

    @Override
    public Config adminConfig() {
        return plane.adminConfig();
    }

    @Override
    public Config operatorConfig() {
        return operator;
    }

    @Override
    public void kindsInstalled(KubernetesClient admin) {
        try {
            plane.startControllers();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        operator = plane.configOf(OperatorAccount.install(admin));
    }

    @Override
    public void interrupt() {
        plane.stopApi();
    }

    @Override
    public void resume() {
        try {
            plane.startApi();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting Kubernetes", e);
        }
    }

    /** Of an operator that has its rights in one namespace alone, as {@link OperatorAccount#nameIn} of it. */
    public Config operatorConfigIn(KubernetesClient admin, String namespace) {
        return plane.configOf(OperatorAccount.installIn(admin, namespace));
    }

    /** See {@link ControlPlane#auditLog}. */
    public Path auditLog() {
        return plane.auditLog();
    }

    @Override
    public void close() {
        plane.close();
    }
}
