package svc.operator.function;

import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;
import svc.operator.kubernetes.MeaningfulChange;

/** Which updates of an EdgeFunction trigger a reconciliation: meaningful changes and the control plane's bundle status. */
public final class FunctionChange implements OnUpdateFilter<EdgeFunction> {
    private final MeaningfulChange<EdgeFunction> meaningful = new MeaningfulChange<>();

    @Override
    public boolean accept(EdgeFunction now, EdgeFunction before) {
        return meaningful.accept(now, before) || !Objects.equals(bundle(now), bundle(before));
    }

    private static BundleStatus bundle(EdgeFunction function) {
        return function.getStatus() == null ? null : function.getStatus().bundle();
    }
}
