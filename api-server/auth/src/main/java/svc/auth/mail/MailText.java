package svc.auth.mail;

/**
 * Subject and body of a mail.
 *
 * @param subject one line
 */
public record MailText(String subject, String html) {}
