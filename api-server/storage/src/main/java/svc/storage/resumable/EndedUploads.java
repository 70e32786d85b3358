package svc.storage.resumable;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.ProjectSweep;
import svc.storage.content.StoreException;
import svc.storage.http.StorageCall;

/**
 * Deletes what is left of uploads that were ended or have expired: the row says first that the upload is gone, so that no
 * request can continue it; then parts and bytes are deleted, and the row at last.
 */
public final class EndedUploads implements ProjectSweep {
    private static final Logger LOG = Logger.getLogger(EndedUploads.class);

    /** A sweep ends after so many pages; the next one goes on. */
    private static final int MAX_PAGES = 200;

    private final ResumableRows rows;
    private final ContentStore store;
    private final Executor threads;
    private final Clock clock;
    private final Set<UUID> swept = ConcurrentHashMap.newKeySet();

    /** @param threads of which each may wait for the store */
    public EndedUploads(ResumableRows rows, ContentStore store, Executor threads, Clock clock) {
        this.rows = rows;
        this.store = store;
        this.threads = threads;
        this.clock = clock;
    }

    /** Ends an upload that is no file. What the store does not delete now is swept. */
    void end(StorageCall call, UUID id) {
        rows.end(call, id).ifPresent(upload -> {
            try {
                delete(call.tenant(), upload);
            } catch (StoreException e) {
                LOG.debugf(
                        e,
                        "%s: an upload that was ended is left to be swept",
                        call.tenant().ref());
            }
        });
    }

    /** Sweeps a project beside a call, unless this process sweeps it already. */
    void sweepBeside(Tenant tenant) {
        if (swept.add(tenant.projectId())) {
            threads.execute(() -> {
                try {
                    sweep(tenant);
                } catch (RuntimeException e) {
                    LOG.debugf(e, "%s: uploads that have expired are left to be swept", tenant.ref());
                } finally {
                    swept.remove(tenant.projectId());
                }
            });
        }
    }

    @Override
    public String what() {
        return "uploads that have expired";
    }

    /** Ends the uploads of a project whose time is over. */
    @Override
    public int sweep(Tenant tenant) {
        int swept = 0;
        boolean all = false;
        for (int page = 0; page < MAX_PAGES && !all; page++) {
            ResumableRows.Expired expired = rows.expired(tenant, clock.instant());
            for (ResumableUpload upload : expired.uploads()) {
                delete(tenant, upload);
                swept++;
            }
            all = expired.all();
        }
        return swept;
    }

    private void delete(Tenant tenant, ResumableUpload upload) {
        if (upload.begun()) {
            ContentKey content = upload.content(tenant);
            store.resumable().abandon(content);
            List<ContentKey> keys = new ArrayList<>(List.of(content));
            upload.tails().forEach(tail -> keys.add(new ContentKey(tenant.projectId(), tail.version())));
            store.delete(keys);
        }
        rows.remove(tenant, upload.id());
    }
}
