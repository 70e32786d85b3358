package svc.rest.openapi;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import svc.platform.budget.Budget;
import svc.platform.budget.Permit;
import svc.platform.budget.SharedPlaces;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.budget.SharedPlaces.Division;
import svc.platform.budget.SharedPlaces.Limits;
import svc.platform.budget.SharedPlaces.Work;
import svc.platform.tenancy.DisplayedNames;
import svc.rest.error.RestError;

/**
 * Writes OpenAPI documents as JSON. Every holder of the public key may ask for the document, and the project decides how large
 * it is: so few are written at the same time, only one of them large, organisations and projects take turns, and a document
 * has a limit. Blocks.
 */
final class DocumentWriter {
    /** In bytes. */
    static final int MAX_DOCUMENT = 32 << 20;

    /** Columns of all described tables, beyond which a document is large: about one megabyte. */
    private static final int LARGE_COLUMNS = 4_000;

    private static final Limits LIMITS = new Limits(3, 1, 8, 32, 128);
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SharedPlaces turns = new SharedPlaces("openapi-documents", LIMITS, Division.BY_TIME);

    /**
     * The document as UTF-8.
     *
     * @param names of types and defaults: the document describes the schema that clients call public
     * @throws RestError PGRST003 with 503 when the turn does not come in time, PGRST126 for a document over the limit
     */
    byte[] write(Caller caller, int columns, ObjectNode document, DisplayedNames names) {
        Work work = columns > LARGE_COLUMNS ? Work.LONG : Work.SHORT;
        try (Permit turn = turns.acquire(caller, work, MAX_WAIT).orElseThrow(DocumentWriter::busy)) {
            return bytes(document, names);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
    }

    /** For metrics. */
    Budget places() {
        return turns.budget();
    }

    private static byte[] bytes(ObjectNode document, DisplayedNames names) {
        var out = new BoundedOutput();
        try (JsonGenerator json = new DisplayingGenerator(JSON.createGenerator(out), names)) {
            JSON.writeValue(json, document);
        } catch (LimitExceededException e) {
            throw tooLarge();
        } catch (IOException e) {
            throw new IllegalStateException("while writing the OpenAPI document", e);
        }
        return out.toByteArray();
    }

    private static RestError busy() {
        return new RestError(
                503,
                "PGRST003",
                "Other descriptions of APIs are being written",
                Optional.empty(),
                Optional.of("Try again in a moment, and keep the document: it changes only with the schema"));
    }

    private static RestError tooLarge() {
        return new RestError(
                404,
                "PGRST126",
                "Root endpoint metadata is not available",
                Optional.of("The document would have more than " + (MAX_DOCUMENT >> 20) + " MB"),
                Optional.of("Grant fewer tables to the role, or move some to a schema that is not exposed"));
    }

    /** Jackson passes exceptions of this kind on, and wraps others. */
    private static final class LimitExceededException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final class BoundedOutput extends OutputStream {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (length > MAX_DOCUMENT - written.size()) {
                throw new LimitExceededException();
            }
            written.write(bytes, from, length);
        }

        byte[] toByteArray() {
            return written.toByteArray();
        }
    }

    /** Writes names of schemas and roles as applications use them. */
    private static final class DisplayingGenerator extends JsonGeneratorDelegate {
        private final DisplayedNames names;

        DisplayingGenerator(JsonGenerator json, DisplayedNames names) {
            super(json);
            this.names = names;
        }

        @Override
        public void writeFieldName(String name) throws IOException {
            super.writeFieldName(names.in(name));
        }

        @Override
        public void writeString(String text) throws IOException {
            super.writeString(names.in(text));
        }
    }
}
