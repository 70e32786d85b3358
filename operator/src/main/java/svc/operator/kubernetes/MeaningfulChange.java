package svc.operator.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/**
 * Which updates of a resource trigger a reconciliation: spec, annotations, finalizers, deletion timestamp. Not the status:
 * every patch by the operator would trigger another one. The SDK's generation filter is too narrow: {@link Annotations} of
 * an admin must apply immediately, above all to a blocked deletion.
 *
 * @param <R> the kind of resource
 */
public final class MeaningfulChange<R extends HasMetadata> implements OnUpdateFilter<R> {
    @Override
    public boolean accept(R now, R before) {
        ObjectMeta newer = now.getMetadata();
        ObjectMeta older = before.getMetadata();
        return !Objects.equals(newer.getGeneration(), older.getGeneration())
                || !Objects.equals(newer.getAnnotations(), older.getAnnotations())
                || !Objects.equals(newer.getFinalizers(), older.getFinalizers())
                || !Objects.equals(newer.getDeletionTimestamp(), older.getDeletionTimestamp());
    }
}
