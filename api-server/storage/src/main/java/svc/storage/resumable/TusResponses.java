package svc.storage.resumable;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** Writes answers of TUS: headers, and for a refusal the body of any other. */
public final class TusResponses {
    private static final String PREFIX = "/upload/resumable";

    private TusResponses() {}

    /** Whether a path of the service is answered here. */
    public static boolean serves(String path) {
        return path.equals(PREFIX) || path.startsWith(PREFIX + "/");
    }

    /** Sends a refusal with the status that is meant: clients of TUS decide by it. */
    public static void error(HttpServerRequest request, StorageError error) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        int status = status(error);
        if (error.passing() || status == 503) {
            response.putHeader("retry-after", "1");
        }
        if (status == 412) {
            response.putHeader("tus-version", TusHeaders.VERSION);
        }
        response.setStatusCode(status)
                .putHeader("tus-resumable", TusHeaders.VERSION)
                .putHeader("content-type", "application/json; charset=utf-8");
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader("cache-control", "no-store");
            response.end().onFailure(gone -> response.close());
        } else {
            response.end(Answers.body(error).toString()).onFailure(gone -> response.close());
        }
    }

    /** tus-js-client repeats a request after 409, 423 and 5xx alone: what may succeed later must be one of these. */
    private static int status(StorageError error) {
        boolean later = error.status() == 408
                || error.status() == 544
                || error.status() == 429
                        && !error.error().equals(TusError.tooMany().error());
        return later ? 503 : error.status();
    }

    static void end(StorageCall call, int status) {
        HttpServerResponse response = call.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status).putHeader("tus-resumable", TusHeaders.VERSION);
        response.end().onFailure(gone -> response.close());
    }

    /** Headers that say how far an upload is. */
    static void progress(StorageCall call, ResumableUpload upload) {
        HttpServerResponse response = call.response();
        response.putHeader("upload-offset", Long.toString(upload.offset()));
        if (upload.state() == ResumableUpload.State.COMPLETE || upload.state() == ResumableUpload.State.STORED) {
            response.putHeader("tus-complete", "1");
        } else {
            response.putHeader("upload-expires", TusHeaders.date(upload.expires()));
        }
    }
}
