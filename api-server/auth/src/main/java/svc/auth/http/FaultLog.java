package svc.auth.http;

import com.google.re2j.Pattern;
import org.jboss.logging.Logger;

/** Logs the causes of failures inside a project, which the answer does not reveal to users. */
public final class FaultLog {
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");

    private static final Logger LOG = Logger.getLogger(FaultLog.class);

    private static final int MAX_CHARACTERS = 500;

    private FaultLog() {}

    /** A function of the tenant may have written the text. */
    private static String line(String text) {
        String plain = CONTROL.matcher(text).replaceAll(" ");
        return plain.length() > MAX_CHARACTERS ? plain.substring(0, MAX_CHARACTERS) : plain;
    }

    public static void record(AuthRequest call, AuthError error) {
        error.detail()
                .ifPresent(cause -> LOG.warnf(
                        "%s: auth: %s %s: %s [request %s]",
                        call.tenant().ref(), call.method(), call.path(), line(cause), call.requestId()));
    }
}
