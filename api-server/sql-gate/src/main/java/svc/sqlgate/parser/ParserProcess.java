package svc.sqlgate.parser;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import svc.platform.process.ChildProcess;
import svc.platform.process.PooledProcess;
import svc.platform.process.SandboxHome;
import svc.platform.process.SandboxProgram;

/**
 * A child process that reads SQL, and the protocol of {@code parse/main.ts}: length-prefixed frames with a request
 * number.
 */
final class ParserProcess implements PooledProcess {
    private static final Path PROGRAM = Path.of("parse", "main.ts");
    private static final int REQUEST_HEAD = 4;
    private static final int ANSWER_HEAD = 4;

    private final ChildProcess child;
    private final int answerBytes;
    private int lastNumber;

    private ParserProcess(ChildProcess child, int answerBytes) {
        this.child = child;
        this.answerBytes = answerBytes;
    }

    /** Starts a process with no permission at all. */
    static ParserProcess launch(SandboxHome home, ParserLimits limits, Path scratch) throws IOException {
        var program = new SandboxProgram(
                PROGRAM, List.of("--max-old-space-size=" + limits.heapMegabytes()), List.of(), List.of(), Map.of());
        return new ParserProcess(program.start(home, scratch), limits.answerBytes());
    }

    @Override
    public ChildProcess child() {
        return child;
    }

    /** Waits for the first frame, which the program sends unasked. */
    @Override
    public void awaitReady() throws IOException {
        answer(0).skipRest();
    }

    /** Reads the content of an answer. */
    @FunctionalInterface
    interface AnswerReader<T> {
        /** @param json in UTF-8; what is left unread of it is skipped */
        T read(InputStream json) throws IOException;
    }

    /**
     * Sends one request and reads its answer while it arrives.
     *
     * @param content questions in the form of {@code parse/frame.ts}
     * @throws IOException when the process ends or answers something else; it must not be used again
     */
    <T> T exchange(byte[] content, AnswerReader<T> reader) throws IOException {
        DataOutputStream requests = child.requests();
        int number = ++lastNumber;
        requests.writeInt(REQUEST_HEAD + content.length);
        requests.writeInt(number);
        requests.write(content);
        requests.flush();
        BoundedInput answer = answer(number);
        T read = reader.read(answer);
        answer.skipRest();
        return read;
    }

    /** Makes the process drop its parser with all that it has read. It answers nothing. */
    @Override
    public void reset() throws IOException {
        DataOutputStream requests = child.requests();
        requests.writeInt(REQUEST_HEAD);
        requests.writeInt(++lastNumber);
        requests.flush();
    }

    private BoundedInput answer(int expected) throws IOException {
        DataInputStream answers = child.answers();
        int length = answers.readInt();
        if (length > ANSWER_HEAD + answerBytes) {
            throw new MemoryRefusedException(RefusedReason.TREE_TOO_LARGE);
        }
        if (length < ANSWER_HEAD) {
            throw new IOException("the parser sends a frame of " + length + " bytes");
        }
        int number = answers.readInt();
        if (number != expected) {
            throw new IOException("the parser answers request " + number + " instead of " + expected);
        }
        return new BoundedInput(answers, length - ANSWER_HEAD);
    }
}
