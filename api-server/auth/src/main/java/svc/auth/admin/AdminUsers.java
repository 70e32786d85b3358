package svc.auth.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.admin.AdminUserRequest.Ban;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.NewUser.Confirmed;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.model.UserTime;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.Sessions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.platform.tenancy.Tenant;

/** {@code /admin/users}: the users of a project, for its own servers with the service-role key. */
public final class AdminUsers {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final Clock clock;

    public AdminUsers(AuthTransactions transactions, PasswordHashes hashes, PasswordRules rules, Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.clock = clock;
    }

    /**
     * A page of the list.
     *
     * @param page from 1
     * @param filter a part of an address, a number or a full name
     */
    private record PageRequest(int page, int size, Optional<String> filter) {
        private static final int DEFAULT_SIZE = 50;
        private static final int MAX_SIZE = 1000;

        static PageRequest parse(AuthRequest request) {
            int size = number(request, "per_page", DEFAULT_SIZE, MAX_SIZE);
            int page = number(request, "page", 1, Integer.MAX_VALUE);
            return new PageRequest(page, size, request.parameter("filter"));
        }

        private static int number(AuthRequest request, String name, int absent, int max) {
            String text = request.parameter(name).orElse(Integer.toString(absent));
            if (!NUMBER.matches(text) || Integer.parseInt(text) < 1) {
                throw AuthError.invalid("Bad Pagination Parameters: " + name + " is a number from 1 on");
            }
            return Math.min(Integer.parseInt(text), max);
        }

        long offset() {
            return (page - 1L) * size;
        }

        /** The header {@code Link} (RFC 8288). The page comes first: auth-js takes the first number in it for the page. */
        String links(Tenant tenant, long total) {
            long last = Math.max(1, (total + size - 1) / size);
            String base = "<" + tenant.authUrl() + "/admin/users?page=";
            String rest = "&per_page=" + size;
            List<String> links = new ArrayList<>();
            if (page < last) {
                links.add(base + (page + 1) + rest + ">; rel=\"next\"");
            }
            links.add(base + last + rest + ">; rel=\"last\"");
            return String.join(", ", links);
        }
    }

    public AuthResponse list(AuthRequest request) {
        PageRequest wanted = PageRequest.parse(request);
        Users.Page page = transactions.run(
                request.tenant(), db -> new Users(db).page(wanted.filter(), wanted.size(), wanted.offset()));
        ObjectNode body = JSON.objectNode();
        var users = body.putArray("users");
        page.users().forEach(user -> users.add(UserJson.of(user)));
        body.put("aud", NewUser.AUTHENTICATED);
        return AuthResponse.ok(body)
                .with("X-Total-Count", Long.toString(page.total()))
                .with("Link", wanted.links(request.tenant(), page.total()));
    }

    public AuthResponse get(AuthRequest request) {
        UUID id = request.pathId(0, "user_id");
        User user = transactions.run(request.tenant(), db -> require(db, id));
        return AuthResponse.ok(UserJson.of(user));
    }

    private static User require(AuthSession db, UUID id) {
        return new Users(db).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
    }

    public AuthResponse create(AuthRequest call) {
        AdminUserRequest request = AdminUserRequest.parse(call);
        if (request.email().isEmpty() && request.phone().isEmpty()) {
            throw AuthError.invalid("Cannot create a user without either an email or phone");
        }
        NewUser user = NewUser.of(
                request.id().orElseGet(UUID::randomUUID),
                request.role().orElse(NewUser.AUTHENTICATED),
                request.email(),
                request.phone(),
                hash(call.tenant(), request),
                new Confirmed(request.confirmEmail(), request.confirmPhone()),
                request.appMetadata().orElseGet(JSON::objectNode),
                metadata(request, JSON.objectNode()),
                clock.instant());
        return transactions.run(call.tenant(), db -> {
            var users = new Users(db);
            requireFree(users, request.email(), request.phone());
            if (users.byId(user.id()).isPresent()) {
                throw AuthError.invalid("A user with this id exists already");
            }
            User created = users.create(user);
            request.ban().ifPresent(ban -> users.update(user.id(), banned(new UserUpdate(), ban)));
            new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, created);
            return AuthResponse.ok(UserJson.of(require(db, user.id())));
        });
    }

    public AuthResponse update(AuthRequest call) {
        UUID id = call.pathId(0, "user_id");
        AdminUserRequest request = AdminUserRequest.parse(call);
        Optional<String> hash = hash(call.tenant(), request);
        return transactions.run(call.tenant(), db -> {
            var users = new Users(db);
            User user = require(db, id);
            Optional<String> email = request.email().filter(to -> !user.email().equals(Optional.of(to)));
            Optional<String> phone = request.phone().filter(to -> !user.phone().equals(Optional.of(to)));
            requireFree(users, email, phone);
            users.update(id, changed(db, user, request, hash, email, phone));
            if (hash.isPresent()) {
                new Sessions(db).deleteOf(id, Optional.empty());
            }
            if (hash.isPresent() || email.isPresent() || request.confirmEmail()) {
                new OneTimeTokens(db).deleteOf(id);
            }
            new AuditLog(db).record(AuditLog.Action.USER_MODIFIED, user);
            return AuthResponse.ok(UserJson.of(require(db, id)));
        });
    }

    /** Writes the identities of a new address or number; the columns of the user are still to be written. */
    private UserUpdate changed(
            AuthSession db,
            User user,
            AdminUserRequest request,
            Optional<String> hash,
            Optional<String> email,
            Optional<String> phone) {
        Instant now = clock.instant();
        UserUpdate update = new UserUpdate().time(UserTime.UPDATED, now);
        request.ban().ifPresent(ban -> banned(update, ban));
        request.role().ifPresent(update::role);
        hash.ifPresent(update::passwordHash);
        ObjectNode known = user.appMetadata().deepCopy();
        if (email.isPresent()) {
            update.email(email.get());
            known = writeIdentity(db, user, "email", email.get(), known);
        }
        if (phone.isPresent()) {
            update.phone(phone.get());
            known = writeIdentity(db, user, "phone", phone.get(), known);
        }
        if (user.anonymous() && (user.isReachable() || email.isPresent() || phone.isPresent())) {
            update.anonymous(false);
        }
        update.appMetadata(
                Metadata.changed("app_metadata", known, request.appMetadata().orElseGet(JSON::objectNode)));
        ObjectNode own = metadata(request, user.userMetadata());
        ObjectNode moved =
                email.map(to -> Metadata.moved(own, user.email(), to)).orElse(own);
        if (!moved.equals(user.userMetadata())) {
            update.userMetadata(moved);
        }
        if (request.confirmEmail()) {
            update.time(UserTime.EMAIL_CONFIRMED, now);
        }
        if (request.confirmPhone()) {
            update.time(UserTime.PHONE_CONFIRMED, now);
        }
        return update;
    }

    /** @return the user's {@code app_metadata}, with the provider of a further identity */
    private static ObjectNode writeIdentity(
            AuthSession db, User user, String provider, String value, ObjectNode appMetadata) {
        ObjectNode data = JSON.objectNode().put("sub", user.id().toString()).put(provider, value);
        if (user.hasIdentity(provider)) {
            new Identities(db).update(user.id(), provider, data);
            return appMetadata;
        }
        new Identities(db).insert(user.id(), provider, user.id().toString(), data);
        return Metadata.withProvider(appMetadata, provider);
    }

    public AuthResponse delete(AuthRequest request) {
        UUID id = request.pathId(0, "user_id");
        boolean soft = request.flag("should_soft_delete").orElse(false);
        return transactions.run(request.tenant(), db -> {
            User user = require(db, id);
            if (soft) {
                deleteSoftly(db, id);
            } else {
                new Users(db).delete(id);
            }
            new AuditLog(db).record(AuditLog.Action.USER_DELETED, user);
            return AuthResponse.empty();
        });
    }

    /** The row stays for foreign keys; the user cannot sign in, and the address is free. */
    private void deleteSoftly(AuthSession db, UUID id) {
        new Sessions(db).deleteOf(id, Optional.empty());
        new Identities(db).deleteOf(id);
        new OneTimeTokens(db).deleteOf(id);
        new Users(db)
                .update(
                        id,
                        new UserUpdate()
                                .withoutEmail()
                                .withoutPhone()
                                .passwordHash("")
                                .userMetadata(JSON.objectNode())
                                .appMetadata(JSON.objectNode())
                                .time(UserTime.DELETED, clock.instant()));
    }

    /** The user's own metadata, to which GoTrue adds that the address is confirmed. */
    private static ObjectNode metadata(AdminUserRequest request, ObjectNode before) {
        ObjectNode after = request.userMetadata()
                .map(change -> Metadata.changed("user_metadata", before, change))
                .orElseGet(before::deepCopy);
        return request.confirmEmail() ? after.put("email_verified", true) : after;
    }

    private static void requireFree(Users users, Optional<String> email, Optional<String> phone) {
        if (email.flatMap(users::byEmail).isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
        if (phone.flatMap(users::byPhone).isPresent()) {
            throw AuthErrorCode.PHONE_EXISTS.error();
        }
    }

    /** The hash to store; one from another system is stored as it is. */
    private Optional<String> hash(Tenant tenant, AdminUserRequest request) {
        request.password().ifPresent(password -> rules.require(tenant, password));
        return request.password()
                .map(password -> hashes.hash(tenant.projectId(), password))
                .or(request::passwordHash);
    }

    private UserUpdate banned(UserUpdate update, Ban ban) {
        return switch (ban) {
            case Ban.None none -> update.without(UserTime.BANNED_UNTIL);
            case Ban.For until ->
                update.time(UserTime.BANNED_UNTIL, clock.instant().plus(until.duration()));
        };
    }
}
