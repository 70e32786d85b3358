package svc.embedded.mail;

import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A received mail.
 *
 * @param number counts up from 1
 * @param from the envelope's sender
 * @param to the envelope's recipient
 * @param html of the body, or the text of one that is plain
 * @param raw as it came
 */
public record CaughtMail(long number, Instant at, String from, String to, String subject, String html, String raw) {
    private static final Pattern LINK = Pattern.compile("(?i)\\bhref\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

    static CaughtMail read(long number, Instant at, String from, String to, byte[] data) {
        String raw = new String(data, StandardCharsets.UTF_8);
        try {
            var message = new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(data));
            String subject = message.getSubject() == null ? "" : message.getSubject();
            return new CaughtMail(number, at, from, to, subject, text(message), raw);
        } catch (MessagingException | IOException e) {
            return new CaughtMail(number, at, from, to, "(cannot be read: " + e.getMessage() + ")", "", raw);
        }
    }

    /** The targets of its links, as a browser resolves them. */
    public List<String> links() {
        List<String> links = new ArrayList<>();
        Matcher matcher = LINK.matcher(html);
        while (matcher.find()) {
            String link = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            links.add(link.replace("&#34;", "\"")
                    .replace("&#39;", "'")
                    .replace("&quot;", "\"")
                    .replace("&amp;", "&"));
        }
        return links;
    }

    private static String text(Part part) throws MessagingException, IOException {
        Object content = part.getContent();
        if (content instanceof String text) {
            return text;
        }
        if (content instanceof Multipart parts) {
            String found = "";
            for (int i = 0; i < parts.getCount(); i++) {
                BodyPart one = parts.getBodyPart(i);
                found = found.isEmpty() || one.isMimeType("text/html") ? text(one) : found;
            }
            return found;
        }
        return "";
    }
}
