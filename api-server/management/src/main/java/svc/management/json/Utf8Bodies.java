package svc.management.json;

import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * Lets through only bodies that are UTF-8 to the letter, as RFC 8259 has it. The JSON parser itself takes overlong forms
 * and encoded surrogates, and guesses at UTF-16: a text that two readers could read as two texts.
 */
@Provider
public class Utf8Bodies implements ReaderInterceptor {
    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        // Read at once: the gateway's cap has bounded it.
        byte[] body = context.getInputStream().readAllBytes();
        if (!isText(body)) {
            throw Problem.of(ProblemCode.MALFORMED_JSON, "The body is not JSON: it is not valid UTF-8.")
                    .asException();
        }
        context.setInputStream(new ByteArrayInputStream(body));
        return context.proceed();
    }

    private static boolean isText(byte[] body) {
        for (byte b : body) {
            if (b == 0) {
                return false;
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
