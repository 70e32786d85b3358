package svc.sqlgate.parser;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.platform.budget.Permit;
import svc.platform.process.ProcessLease;

/**
 * One caller's hold on one process, for as many messages as the reading of its script takes. The process keeps its parser
 * meanwhile, and drops it, with all that it read, before the next caller gets the process. Used by one thread at a time.
 */
final class ParserLease implements AutoCloseable {
    private final ParserPool pool;
    private Optional<Loan> loan;
    private RefusedReason refusal;

    private ParserLease(ParserPool pool, Optional<Loan> loan, RefusedReason refusal) {
        this.pool = pool;
        this.loan = loan;
        this.refusal = refusal;
    }

    /** A process, and the caller's turn to use one. */
    private record Loan(ProcessLease<ParserProcess> process, Permit turn) {}

    static ParserLease of(ParserPool pool, ProcessLease<ParserProcess> process, Permit turn) {
        return new ParserLease(pool, Optional.of(new Loan(process, turn)), RefusedReason.UNAVAILABLE);
    }

    /** A lease without a process: every question is refused. */
    static ParserLease refused(ParserPool pool, RefusedReason reason) {
        return new ParserLease(pool, Optional.empty(), reason);
    }

    /**
     * Asks all of it in one message; the deadline holds for all together. After a refusal every other is refused too.
     *
     * @param memory that the trees of the answer take
     */
    ParserPool.Answer ask(List<ParserOperation.Question> questions, ReadingMemory memory) {
        byte[] content;
        try {
            content = encode(questions);
        } catch (CharacterCodingException e) {
            return new ParserPool.Answer.Refused(RefusedReason.NOT_TEXT);
        }
        if (content.length > pool.contentBytes()) {
            return new ParserPool.Answer.Refused(RefusedReason.TOO_LARGE);
        }
        if (loan.isEmpty()) {
            return new ParserPool.Answer.Refused(refusal);
        }
        ParserPool.Answer answer = new ParserPool.Answer.Refused(RefusedReason.PARSER_CRASHED);
        try {
            answer = pool.ask(loan.get().process(), content, questions.size(), memory);
        } finally {
            if (answer instanceof ParserPool.Answer.Refused refused) {
                refusal = refused.reason();
                end(refusal.sparesParser());
            }
        }
        return answer;
    }

    @Override
    public void close() {
        end(true);
    }

    private void end(boolean sound) {
        Optional<Loan> ended = loan;
        loan = Optional.empty();
        ended.ifPresent(one -> {
            if (sound) {
                one.process().release();
            } else {
                one.process().discard();
            }
            one.turn().close();
        });
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
