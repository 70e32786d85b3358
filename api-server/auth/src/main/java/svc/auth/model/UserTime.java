package svc.auth.model;

/** The times that {@code auth.users} has of a user. Columns and members of the JSON have the same names. */
public enum UserTime {
    EMAIL_CONFIRMED("email_confirmed_at"),
    PHONE_CONFIRMED("phone_confirmed_at"),
    /** The earlier of the two; PostgreSQL computes it. */
    CONFIRMED("confirmed_at"),
    INVITED("invited_at"),
    CONFIRMATION_SENT("confirmation_sent_at"),
    RECOVERY_SENT("recovery_sent_at"),
    EMAIL_CHANGE_SENT("email_change_sent_at"),
    PHONE_CHANGE_SENT("phone_change_sent_at"),
    REAUTHENTICATION_SENT("reauthentication_sent_at"),
    LAST_SIGN_IN("last_sign_in_at"),
    CREATED("created_at"),
    UPDATED("updated_at"),
    BANNED_UNTIL("banned_until"),
    DELETED("deleted_at");

    private final String column;

    UserTime(String column) {
        this.column = column;
    }

    public String column() {
        return column;
    }
}
