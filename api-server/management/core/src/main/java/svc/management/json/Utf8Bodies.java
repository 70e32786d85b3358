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
 * Admits only bodies that are strictly valid UTF-8 (RFC 8259). The JSON parser itself accepts overlong forms and
 * encoded surrogates, and guesses UTF-16: two parsers could read such a body differently.
 */
@Provider
public class Utf8Bodies implements ReaderInterceptor {
    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        // Reads the whole body at once: the gateway has bounded it.
        byte[] body = context.getInputStream().readAllBytes();
        if (!isText(body)) {
            throw Problem.of(ProblemCode.MALFORMED_JSON, "The body is not valid JSON: it is not valid UTF-8.")
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
