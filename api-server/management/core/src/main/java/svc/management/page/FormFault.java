package svc.management.page;

/** A form that cannot be read; the message is for the developer of what sent it. */
public final class FormFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FormFault(String message) {
        super(message, null, false, false);
    }
}
