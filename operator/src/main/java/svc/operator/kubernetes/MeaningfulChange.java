package svc.operator.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/**
 * Which changes of a resource wake its reconciler: the spec, annotations, finalizers, the mark for deletion. Not the
 * status: it is ours, and every patch of it would wake us once more. The SDK's own generation filter is too narrow, an
 * admin's {@link Annotations} must work at once, above all on a deletion that is blocked.
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
