package svc.storage.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.platform.process.ChildProcess;
import svc.platform.process.SandboxHome;
import svc.platform.process.SandboxProgram;
import svc.storage.image.transform.Transform;

/** A child process that decodes, scales and encodes images, and the protocol of {@code image/frame.ts}. */
final class ImageProcess {
    private static final Path PROGRAM = Path.of("image", "main.ts");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_HEAD = 4096;
    private static final Set<String> TYPES = Set.of("image/jpeg", "image/png", "image/gif", "image/webp", "image/avif");

    /** Of the script around the decoder; the decoder's own memory is limited in {@code build.mjs}. */
    private static final String HEAP = "--max-old-space-size=64";

    private final ChildProcess child;

    private ImageProcess(ChildProcess child) {
        this.child = child;
    }

    /** The bytes of an image, handed over piece by piece. */
    @FunctionalInterface
    interface Source {
        void writeTo(DataOutputStream process) throws IOException;
    }

    /** What the process answers. */
    sealed interface Answer {
        /**
         * An image.
         *
         * @param length in bytes, which are to be read from {@code bytes} before the next job
         */
        record Image(String type, int length, DataInputStream bytes) implements Answer {}

        /** @param reason for the client */
        record Refused(String reason) implements Answer {}
    }

    /** Starts a process with no permission at all, and nothing of our environment. */
    static ImageProcess launch(SandboxHome home, Path scratch) throws IOException {
        var program = new SandboxProgram(PROGRAM, List.of(HEAP), List.of(), List.of(), Map.of());
        return new ImageProcess(program.start(home, scratch));
    }

    ChildProcess child() {
        return child;
    }

    /** Waits for the first frame, which the program sends unasked. */
    void awaitReady() throws IOException {
        head();
    }

    /** @throws IOException when the process ends or answers something else; it must not be used again */
    Answer ask(Transform wanted, String format, long length, Source source) throws IOException {
        byte[] head = JSON.writeValueAsBytes(Map.of(
                "length", length,
                "width", wanted.width(),
                "height", wanted.height(),
                "resize", wanted.mode().text(),
                "gravity", wanted.where().name(),
                "x", wanted.where().x(),
                "y", wanted.where().y(),
                "quality", wanted.qualityOrDefault(),
                "format", format));
        DataOutputStream out = child.requests();
        out.writeInt(head.length);
        out.write(head);
        source.writeTo(out);
        out.flush();
        JsonNode answer = head();
        String refused = answer.path("refused").asText("");
        if (!refused.isEmpty()) {
            return new Answer.Refused(refused);
        }
        String type = answer.path("type").asText();
        int made = answer.path("length").asInt(-1);
        if (made < 1 || !TYPES.contains(type)) {
            throw new IOException("the decoder answers with " + made + " bytes of " + type);
        }
        return new Answer.Image(type, made, child.answers());
    }

    private JsonNode head() throws IOException {
        int length = child.answers().readInt();
        if (length < 1 || length > MAX_HEAD) {
            throw new IOException("the decoder sends a head of " + length + " bytes");
        }
        byte[] json = new byte[length];
        child.answers().readFully(json);
        return JSON.readTree(json);
    }
}
