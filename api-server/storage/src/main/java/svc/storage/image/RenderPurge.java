package svc.storage.image;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.ContentRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;

/**
 * {@code DELETE /cdn[/{bucket}[/{path}]]}. No cache of the platform's stands before Storage, so that nothing outdated is
 * kept; with {@code ?transformations=true} the kept renderings are deleted, and made again when they are asked for.
 */
public final class RenderPurge {
    private final ObjectRows objects;
    private final ContentRows contents;
    private final RenderStore store;

    public RenderPurge(ObjectRows objects, ContentRows contents, ImageRenderer renderer) {
        this.objects = objects;
        this.contents = contents;
        this.store = renderer.store();
    }

    public void purge(StorageCall call) {
        if (!call.isService()) {
            throw StorageError.serviceRoleOnly();
        }
        if (call.query("transformations").filter("true"::equals).isPresent()) {
            delete(call);
        }
        Answers.message(call, "success");
    }

    private void delete(StorageCall call) {
        Tenant tenant = call.tenant();
        if (call.bucket().isEmpty()) {
            store.sweep(tenant.projectId(), Instant.MAX, keys -> List.of());
        } else if (call.object().isEmpty()) {
            store.sweep(tenant.projectId(), Instant.MAX, keys -> others(tenant, call.bucket(), keys));
        } else {
            ObjectRow row = objects.findForAll(call, call.bucket(), ObjectName.normal(call.object()))
                    .orElseThrow(StorageError::noSuchObject);
            row.key(tenant).ifPresent(key -> store.deleteOf(List.of(key)));
        }
    }

    /** What is left: the contents of other buckets. */
    private List<ContentKey> others(Tenant tenant, String bucket, List<ContentKey> keys) {
        List<ContentKey> others = new ArrayList<>(keys);
        others.removeAll(new HashSet<>(contents.ofBucket(tenant, bucket, keys)));
        return others;
    }
}
