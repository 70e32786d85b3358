package svc.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import svc.platform.s3.PlatformBucket;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentSweeper;
import svc.storage.resumable.EndedUploads;
import svc.storage.resumable.ResumableRows;
import svc.storage.rows.ContentRows;
import svc.storage.rows.MultipartRows;
import svc.storage.rows.NamedContents;
import svc.storage.rows.StorageTransactions;
import svc.storage.s3.MultipartSweep;
import svc.testing.TestingProjects;

/** What the service has left in the database and in S3, and its sweeps on demand. */
abstract class StorageInspection extends StorageHttp {
    abstract StorageTransactions transactions();

    abstract StoppingStore store();

    abstract PlatformBucket bucket();

    abstract TestingProjects projects();

    abstract Tenant tenant(String ref);

    abstract Executor beside();

    abstract Clock clock();

    /** Sweeps a project now, whatever the age of what is found. */
    int sweep(String ref) {
        var rows = transactions();
        var resumable = new ResumableRows(rows);
        var named = new NamedContents(new ContentRows(rows), resumable::known);
        new EndedUploads(resumable, store(), beside(), clock()).sweep(tenant(ref));
        // The clock of S3 may be ahead by what it rounds.
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(2));
        return new ContentSweeper(store(), Duration.ofHours(1), later)
                .sweep(tenant(ref).projectId(), keys -> named.known(tenant(ref), keys));
    }

    /** Gives up every upload in parts of a project. */
    void abandonUploads(String ref) {
        new MultipartSweep(new MultipartRows(transactions()), store(), Duration.ofSeconds(-1)).sweep(tenant(ref));
    }

    /** Parts that S3 holds of unfinished uploads of a project. */
    long unfinished(String ref) {
        return bucket().client()
                .listMultipartUploads(request -> request.bucket("platform")
                        .prefix(tenant(ref).projectId().toString()))
                .uploads()
                .size();
    }

    /** The versions of all bytes that S3 has of a project. */
    Set<String> contents(String ref) {
        Set<String> found = new HashSet<>();
        store().olderThan(
                        tenant(ref).projectId(),
                        Instant.MAX,
                        page -> page.forEach(key -> found.add(key.version().toString())));
        return found;
    }

    /** Uploads in parts that S3 has of a project. */
    int multiparts(String ref) {
        String prefix = tenant(ref).projectId() + "/";
        return bucket().client()
                .listMultipartUploads(request -> request.bucket(bucket().name()).prefix(prefix))
                .uploads()
                .size();
    }

    /** The versions that rows of a project name. */
    Set<String> named(String ref) {
        String all = projects()
                .ask("SELECT coalesce(string_agg(version, ','), '') FROM "
                        + tenant(ref).names().storage().sql() + ".objects");
        return all.isEmpty() ? Set.of() : Set.of(all.split(","));
    }
}
