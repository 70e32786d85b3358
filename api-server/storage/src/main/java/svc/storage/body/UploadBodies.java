package svc.storage.body;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Function;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.RequestBody;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.storage.http.StorageError;

/**
 * Opens the bodies of uploads. What the HTTP server has read ahead of a body that waits for its policies is the strangers'
 * of the project, because anyone can begin an upload.
 *
 * @param rules of bodies that are files
 * @param memory of a project, by its ref
 */
public record UploadBodies(BodyRules rules, Function<String, ByteBudget.Account> memory) {
    /** Who sends a body, before policies are asked. */
    public enum Sender {
        ANYONE,
        USER
    }

    /** What is read of a paused request: the chunks that the connection keeps, and its receive buffer. */
    private static final long READ_AHEAD = 128 << 10;

    /**
     * Called on the event loop with a paused request.
     *
     * @param sender who is known so far
     * @throws StorageError when strangers hold more than their share; a user of the project is not refused for that
     */
    public BodyReader open(Tenant tenant, Sender sender, HttpServerRequest request) {
        ByteBudget.Account strangers = memory.apply(tenant.ref()).ofStrangers();
        long bytes = readAhead(request);
        if (bytes > 0 && sender == Sender.ANYONE && strangers.overdrawn()) {
            throw StorageError.slowDown();
        }
        ByteBudget.Permit ahead = strangers.open();
        // The server has it already: there is nothing to wait for.
        ahead.charge(bytes);
        return BodyReader.of(request, rules, ahead);
    }

    /** HTTP/2 announces no length, and neither does a body in chunks. */
    private static long readAhead(HttpServerRequest request) {
        if (!RequestBody.isExpected(request) && request.version() != HttpVersion.HTTP_2) {
            return 0;
        }
        long announced = RequestBody.announced(request);
        return announced == 0 ? READ_AHEAD : Math.min(announced, READ_AHEAD);
    }
}
