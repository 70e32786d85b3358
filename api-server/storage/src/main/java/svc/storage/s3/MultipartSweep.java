package svc.storage.s3;

import java.time.Duration;
import java.util.List;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentStore;
import svc.storage.content.ProjectSweep;
import svc.storage.rows.MultipartRows;

/** Gives up uploads in parts over the S3 protocol that began too long ago. Their bytes first: a row is found again. */
public final class MultipartSweep implements ProjectSweep {
    /** A sweep ends after so many pages; the next one goes on. */
    private static final int MAX_PAGES = 20;

    private final MultipartRows uploads;
    private final ContentStore store;
    private final Duration age;

    /** @param age longest that an upload may take */
    public MultipartSweep(MultipartRows uploads, ContentStore store, Duration age) {
        this.uploads = uploads;
        this.store = store;
        this.age = age;
    }

    @Override
    public int sweep(Tenant tenant) {
        int swept = 0;
        boolean more = true;
        for (int page = 0; page < MAX_PAGES && more; page++) {
            List<MultipartRows.Upload> old = uploads.olderThan(tenant, age.toSeconds());
            for (MultipartRows.Upload upload : old) {
                upload.content(tenant)
                        .ifPresent(key -> store.numbered(key, upload.id()).abandon());
                uploads.remove(tenant, upload.id());
            }
            swept += old.size();
            more = old.size() == MultipartRows.MAX_OLD;
        }
        return swept;
    }

    @Override
    public String what() {
        return "uploads in parts that were never completed";
    }
}
