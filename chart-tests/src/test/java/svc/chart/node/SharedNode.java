package svc.chart.node;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test classes one node with the platform on it, started for the first class that asks for it and removed after the
 * last. Each test makes projects of its own.
 */
final class SharedNode implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedNode.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningNode.class;
    }

    @Override
    public RunningNode resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(RunningNode.class, key -> start(), RunningNode.class);
    }

    private static RunningNode start() {
        try {
            return RunningNode.start();
        } catch (Exception e) {
            throw new IllegalStateException("while the node starts: see chart-tests/target/node", e);
        }
    }
}
