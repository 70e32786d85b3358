package svc.auth.mail.template;

/** A malformed template. */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TemplateException(String message) {
        super(message);
    }
}
