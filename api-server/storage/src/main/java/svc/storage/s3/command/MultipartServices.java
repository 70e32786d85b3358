package svc.storage.s3.command;

import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.object.Quota;
import svc.storage.rows.BucketRows;
import svc.storage.rows.MultipartRows;
import svc.storage.rows.ObjectRows;

/**
 * What the commands of uploads in parts work with.
 *
 * @param memory of a project, by its ref
 */
public record MultipartServices(
        BucketRows buckets,
        ObjectRows objects,
        MultipartRows rows,
        ContentStore store,
        Disposal disposal,
        Quota quota,
        Function<String, ByteBudget.Account> memory) {}
