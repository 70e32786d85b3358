package svc.storage;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.ContentStore;
import svc.storage.content.ContentSweeper;
import svc.storage.content.ProjectSweep;
import svc.storage.resumable.EndedUploads;
import svc.storage.resumable.ResumableRows;
import svc.storage.rows.ContentRows;
import svc.storage.rows.MultipartRows;
import svc.storage.rows.NamedContents;
import svc.storage.rows.StorageTransactions;
import svc.storage.s3.MultipartSweep;

/** Puts the sweeps of a project together, in their order: rows of uploads first, then bytes that no row names. */
final class StorageSweeps {
    private StorageSweeps() {}

    /** @param grace longer than any upload takes from its last byte to its row */
    static List<ProjectSweep> of(TenantTransactions transactions, ContentStore store, Duration grace, Clock clock) {
        var rows = new StorageTransactions(transactions);
        var resumable = new ResumableRows(rows);
        return List.of(
                new EndedUploads(resumable, store, Runnable::run, clock),
                new MultipartSweep(new MultipartRows(rows), store, ContentSweeper.MAX_UPLOAD_TIME),
                contents(
                        new ContentSweeper(store, grace, clock),
                        new NamedContents(new ContentRows(rows), resumable::known)));
    }

    private static ProjectSweep contents(ContentSweeper sweeper, NamedContents named) {
        return new ProjectSweep() {
            @Override
            public int sweep(Tenant tenant) {
                return sweeper.sweep(tenant.projectId(), keys -> named.known(tenant, keys));
            }

            @Override
            public String what() {
                return "contents that no file has";
            }
        };
    }
}
