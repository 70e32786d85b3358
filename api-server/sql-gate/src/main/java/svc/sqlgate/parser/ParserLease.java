package svc.sqlgate.parser;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import svc.platform.process.ProcessLease;

/**
 * One caller's hold on one process, for as many messages as the reading of its script takes. The process keeps its parser
 * meanwhile, and drops it, with all that it read, before the next caller gets the process. Used by one thread at a time.
 */
final class ParserLease implements AutoCloseable {
    private final ParserPool pool;
    private ProcessLease<ParserProcess> lent;
    private RefusedReason refusal;

    private ParserLease(ParserPool pool, ProcessLease<ParserProcess> lent, RefusedReason refusal) {
        this.pool = pool;
        this.lent = lent;
        this.refusal = refusal;
    }

    static ParserLease of(ParserPool pool, ProcessLease<ParserProcess> lent) {
        return new ParserLease(pool, lent, null);
    }

    /** A lease without a process: every question is refused. */
    static ParserLease refused(ParserPool pool, RefusedReason reason) {
        return new ParserLease(pool, null, reason);
    }

    /** Asks all of it in one message; the deadline holds for all together. After a refusal every other is refused too. */
    ParserPool.Answer ask(List<ParserOperation.Question> questions) {
        byte[] content;
        try {
            content = encode(questions);
        } catch (CharacterCodingException e) {
            return new ParserPool.Answer.Refused(RefusedReason.NOT_TEXT);
        }
        if (content.length > pool.contentBytes()) {
            return new ParserPool.Answer.Refused(RefusedReason.TOO_LARGE);
        }
        if (lent == null) {
            return new ParserPool.Answer.Refused(refusal);
        }
        ParserPool.Answer answer = null;
        try {
            answer = pool.ask(lent, content, questions.size());
        } finally {
            if (!(answer instanceof ParserPool.Answer.Elements)) {
                refusal = answer instanceof ParserPool.Answer.Refused refused
                        ? refused.reason()
                        : RefusedReason.PARSER_CRASHED;
                end(false);
            }
        }
        return answer;
    }

    @Override
    public void close() {
        if (lent != null) {
            refusal = RefusedReason.UNAVAILABLE;
            end(true);
        }
    }

    private void end(boolean sound) {
        ProcessLease<ParserProcess> ended = lent;
        lent = null;
        if (sound) {
            ended.release();
        } else {
            ended.discard();
        }
    }

    /** One NUL between the questions; one inside of a text would make two of it. */
    private static byte[] encode(List<ParserOperation.Question> questions) throws CharacterCodingException {
        var content = new ByteArrayOutputStream();
        for (int i = 0; i < questions.size(); i++) {
            String text = questions.get(i).text();
            if (text.indexOf('\0') >= 0) {
                throw new CharacterCodingException();
            }
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            if (i > 0) {
                content.write(0);
            }
            content.write(questions.get(i).operation().code());
            content.write(bytes.array(), bytes.arrayOffset(), bytes.remaining());
        }
        return content.toByteArray();
    }
}
