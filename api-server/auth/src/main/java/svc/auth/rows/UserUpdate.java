package svc.auth.rows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import svc.auth.model.UserTime;

/**
 * Columns of {@code auth.users} that one statement changes. Only these are named in it: a tenant's trigger may be one on
 * {@code UPDATE OF} a column. Not thread-safe.
 */
public final class UserUpdate {
    private final ObjectNode columns = JsonNodeFactory.instance.objectNode();

    public UserUpdate email(String email) {
        columns.put("email", email);
        return this;
    }

    public UserUpdate withoutEmail() {
        columns.putNull("email");
        return this;
    }

    public UserUpdate phone(String phone) {
        columns.put("phone", phone);
        return this;
    }

    public UserUpdate withoutPhone() {
        columns.putNull("phone");
        return this;
    }

    public UserUpdate role(String role) {
        columns.put("role", role);
        return this;
    }

    public UserUpdate passwordHash(String hash) {
        columns.put("encrypted_password", hash);
        return this;
    }

    public UserUpdate withoutPassword() {
        columns.putNull("encrypted_password");
        return this;
    }

    public UserUpdate appMetadata(ObjectNode metadata) {
        columns.set("raw_app_meta_data", metadata);
        return this;
    }

    public UserUpdate userMetadata(ObjectNode metadata) {
        columns.set("raw_user_meta_data", metadata);
        return this;
    }

    public UserUpdate anonymous(boolean anonymous) {
        columns.put("is_anonymous", anonymous);
        return this;
    }

    /** A change of address begins. */
    public UserUpdate emailChange(String to) {
        columns.put("email_change", to).put("email_change_confirm_status", 0);
        return this;
    }

    /** How many addresses have confirmed the change. */
    public UserUpdate emailConfirmations(int count) {
        columns.put("email_change_confirm_status", count);
        return this;
    }

    /** A change of address has ended. */
    public UserUpdate withoutEmailChange() {
        return emailChange("");
    }

    public UserUpdate phoneChange(String to) {
        columns.put("phone_change", to);
        return this;
    }

    public UserUpdate withoutPhoneChange() {
        return phoneChange("");
    }

    public UserUpdate time(UserTime time, Instant at) {
        columns.put(time.column(), at.toString());
        return this;
    }

    public UserUpdate without(UserTime time) {
        columns.putNull(time.column());
        return this;
    }

    /** These columns and those of another update, which takes precedence. */
    public UserUpdate and(UserUpdate other) {
        columns.setAll(other.columns);
        return this;
    }

    ObjectNode columns() {
        return columns;
    }
}
