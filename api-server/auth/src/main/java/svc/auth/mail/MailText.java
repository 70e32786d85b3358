package svc.auth.mail;

/**
 * What a mail says.
 *
 * @param subject one line
 */
public record MailText(String subject, String html) {}
