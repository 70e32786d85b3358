package svc.auth.mail;

/**
 * A mail as it goes out.
 *
 * @param to address, without a name
 */
public record OutgoingMail(String to, MailText text) {}
