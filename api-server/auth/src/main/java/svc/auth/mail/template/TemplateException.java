package svc.auth.mail.template;

/** A template that cannot be read; the message says what of it. */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TemplateException(String message) {
        super(message);
    }
}
