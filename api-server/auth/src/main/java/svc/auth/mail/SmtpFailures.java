package svc.auth.mail;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.egress.EgressFailedException;

/** Names the cause of what a conversation fails with: the library's exceptions, and those of the connection below them. */
final class SmtpFailures {
    private static final int SERVICE_NOT_AVAILABLE = 421;

    private SmtpFailures() {}

    static MailFailedException named(Throwable failure) {
        if (failure instanceof MailFailedException known) {
            return known;
        }
        return new MailFailedException(cause(failure), failure);
    }

    private static Cause cause(Throwable failure) {
        for (Throwable at = failure; at != null; at = next(at)) {
            switch (at) {
                case EgressFailedException closed
                when closed.reason() == EgressFailedException.Reason.REFUSED -> {
                    return Cause.REFUSED_ADDRESS;
                }
                case AuthenticationFailedException refused -> {
                    return Cause.LOGIN;
                }
                case SMTPSenderFailedException refused -> {
                    return Cause.SENDER;
                }
                case SMTPAddressFailedException refused -> {
                    return refused.getReturnCode() >= 500 ? Cause.RECIPIENT : Cause.REJECTED;
                }
                case SmtpSocket.TooMuchException flooded -> {
                    return Cause.TOO_MUCH;
                }
                case SocketTimeoutException late -> {
                    // The same timeout, noticed by the sending thread before the waiting one.
                    return Cause.TOO_SLOW;
                }
                case SSLException untrusted -> {
                    return Cause.INSECURE;
                }
                case SMTPSendFailedException refused
                when refused.getNextException() == null -> {
                    return refused.getReturnCode() == SERVICE_NOT_AVAILABLE ? Cause.UNREACHABLE : Cause.REJECTED;
                }
                default -> {
                    // Its cause says more.
                }
            }
        }
        String text = String.valueOf(failure.getMessage());
        if (text.contains("STARTTLS is required")) {
            return Cause.INSECURE;
        }
        return failure instanceof SendFailedException ? Cause.REJECTED : Cause.UNREACHABLE;
    }

    private static Throwable next(Throwable failure) {
        return failure instanceof MessagingException mail && mail.getNextException() != null
                ? mail.getNextException()
                : failure.getCause();
    }
}
