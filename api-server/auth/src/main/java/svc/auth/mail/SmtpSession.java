package svc.auth.mail;

import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.Properties;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import svc.auth.mail.MailFailedException.Cause;

/** The library's configuration of one conversation with a server, and its form of mails. */
final class SmtpSession {
    private static final String UTF8 = StandardCharsets.UTF_8.name();

    private final SmtpServer server;
    private final Session session;

    /** @param utf8 whether an address has letters that a server must be able to take; mails to others stay ASCII */
    SmtpSession(SmtpServer server, SSLSocketFactory tls, Duration timeout, boolean utf8) {
        this.server = server;
        this.session = Session.getInstance(properties(server, tls, timeout, utf8), login(server));
    }

    private static Properties properties(SmtpServer server, SSLSocketFactory tls, Duration timeout, boolean utf8) {
        String millis = Long.toString(timeout.toMillis());
        var properties = new Properties();
        properties.put("mail.smtp.timeout", millis);
        properties.put("mail.smtp.writetimeout", millis);
        // The answer to QUIT is not awaited.
        properties.put("mail.smtp.quitwait", "false");
        properties.put("mail.smtp.ssl.socketFactory", tls);
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put(
                "mail.smtp.starttls.enable", Boolean.toString(server.security() == SmtpServer.Security.STARTTLS));
        properties.put(
                "mail.smtp.starttls.required", Boolean.toString(server.security() == SmtpServer.Security.STARTTLS));
        properties.put("mail.smtp.auth", Boolean.toString(server.login().isPresent()));
        properties.put("mail.smtp.auth.mechanisms", "PLAIN LOGIN");
        server.login().ifPresent(login -> properties.put("mail.smtp.user", login.user()));
        properties.put("mail.mime.allowutf8", Boolean.toString(utf8));
        // The host name of this machine stays private: the domain of the sender stands in for it.
        properties.put("mail.smtp.localhost", domain(server.from()));
        properties.put("mail.from", server.from());
        properties.put("mail.smtp.from", server.from());
        return properties;
    }

    private static Authenticator login(SmtpServer server) {
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return server.login()
                        .map(login -> new PasswordAuthentication(login.user(), login.password()))
                        .orElse(null);
            }
        };
    }

    private static String domain(String address) {
        return ascii(address.substring(address.lastIndexOf('@') + 1));
    }

    private static String ascii(String domain) {
        try {
            return IDN.toASCII(domain);
        } catch (IllegalArgumentException e) {
            throw new MailFailedException(Cause.RECIPIENT, e);
        }
    }

    SMTPTransport transport() throws MessagingException {
        return (SMTPTransport) session.getTransport("smtp");
    }

    /** Domains in letters of other alphabets have a form in ASCII; the part before the at sign has none. */
    InternetAddress address(String text) throws MessagingException {
        int at = text.lastIndexOf('@');
        var address = new InternetAddress(text.substring(0, at + 1) + domain(text), false);
        address.validate();
        return address;
    }

    /** The part before the at sign has no other form than its own letters. */
    static boolean needsUtf8(OutgoingMail mail) {
        return mail.to().substring(0, mail.to().lastIndexOf('@')).chars().anyMatch(c -> c >= 0x80);
    }

    static void requireAlphabet(SMTPTransport transport, OutgoingMail mail) {
        if (needsUtf8(mail) && !transport.supportsExtension("SMTPUTF8")) {
            throw new MailFailedException(Cause.ALPHABET, null);
        }
    }

    static void require(int code) {
        if (code >= 400) {
            throw new MailFailedException(Cause.SENDER, null);
        }
    }

    MimeMessage message(OutgoingMail mail) throws MessagingException, UnsupportedEncodingException {
        var message = new MimeMessage(session);
        InternetAddress from = address(server.from());
        if (!server.senderName().isEmpty()) {
            from.setPersonal(server.senderName(), UTF8);
        }
        message.setFrom(from);
        message.setRecipient(Message.RecipientType.TO, address(mail.to()));
        message.setSubject(mail.text().subject(), UTF8);
        message.setText(mail.text().html(), UTF8, "html");
        message.setSentDate(new Date());
        // Suppresses automatic replies (RFC 3834).
        message.setHeader("Auto-Submitted", "auto-generated");
        message.saveChanges();
        return message;
    }
}
