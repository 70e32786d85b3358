package svc.auth.mail;

/**
 * A mail with its final text.
 *
 * @param to address, without a name
 */
public record OutgoingMail(String to, MailText text) {}
