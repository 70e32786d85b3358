package svc.auth.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.phone.PhoneNumber;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.NewUser;
import svc.auth.session.NewUser.Confirmed;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code /admin/users}: what the project's own servers do with its users, by the service-role key. */
public final class AdminUsers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int PAGE = 50;
    private static final int MAX_PAGE_SIZE = 1000;
    private static final Pattern ROLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** As Go writes a duration: {@code 24h}, {@code 1h30m}, {@code 10s}. */
    private static final Pattern DURATION = Pattern.compile("(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?");

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

    public AuthAnswer list(AuthRequest request) {
        int size = number(request, "per_page", PAGE, MAX_PAGE_SIZE);
        int page = number(request, "page", 1, Integer.MAX_VALUE);
        JsonNode found = transactions.run(
                request.tenant(),
                rows -> new Outcome<>(
                        new Users(rows).page(request.parameter("filter"), size, (page - 1L) * size), true));
        ObjectNode body = JSON.objectNode();
        var users = body.putArray("users");
        found.path("users").forEach(row -> users.add(UserJson.of(row)));
        body.put("aud", "authenticated");
        long total = found.path("total").longValue();
        return AuthAnswer.ok(body)
                .with("X-Total-Count", Long.toString(total))
                .with("Link", links(request, page, size, total));
    }

    private static String links(AuthRequest request, int page, int size, long total) {
        long last = Math.max(1, (total + size - 1) / size);
        String base = "<" + request.tenant().authUrl() + "/admin/users?per_page=" + size + "&page=";
        List<String> links = new ArrayList<>();
        if (page < last) {
            links.add(base + (page + 1) + ">; rel=\"next\"");
        }
        links.add(base + last + ">; rel=\"last\"");
        return String.join(", ", links);
    }

    private static int number(AuthRequest request, String name, int absent, int most) {
        String text = request.parameter(name).orElse(Integer.toString(absent));
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1) {
            throw AuthError.invalid("Bad Pagination Parameters: " + name + " is a number from 1 on");
        }
        return Math.min(Integer.parseInt(text), most);
    }

    private static UUID user(AuthRequest request) {
        return AuthRequest.uuid(request.place(0))
                .orElseThrow(() -> AuthErrorCode.INVALID_ID_IN_PATH.error("user_id must be an UUID"));
    }

    public AuthAnswer get(AuthRequest request) {
        UUID id = user(request);
        return AuthAnswer.ok(UserJson.of(transactions.run(
                request.tenant(),
                rows -> new Outcome<>(
                        new Users(rows).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error), true))));
    }

    public AuthAnswer create(AuthRequest request) {
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> phone = phone(request);
        if (email.isEmpty() && phone.isEmpty()) {
            throw AuthError.invalid("Cannot create a user without either an email or phone");
        }
        UUID id = request.text("id")
                .map(text -> AuthRequest.uuid(text)
                        .orElseThrow(() -> AuthError.invalid("ID must conform to the uuid v4 format")))
                .orElseGet(UUID::randomUUID);
        var user = new NewUser(
                id,
                email,
                phone,
                hash(request),
                request.object("user_metadata").orElseGet(JSON::objectNode),
                request.object("app_metadata").orElseGet(JSON::objectNode),
                new Confirmed(
                        request.flag("email_confirm").orElse(false),
                        request.flag("phone_confirm").orElse(false)),
                false,
                clock.instant());
        String role = role(request).orElse("authenticated");
        Optional<ObjectNode> ban = ban(request);
        return transactions.run(request.tenant(), rows -> {
            requireFree(rows, email, phone);
            if (new Users(rows).byId(id).isPresent()) {
                throw AuthError.invalid("A user with this id exists already");
            }
            JsonNode row = user.insert(rows, role);
            ban.ifPresent(columns -> new Users(rows).update(id, columns));
            new AuditLog(rows).record(AuditLog.Action.USER_SIGNED_UP, row);
            return new Outcome<>(
                    AuthAnswer.ok(UserJson.of(new Users(rows).byId(id).orElseThrow())), true);
        });
    }

    public AuthAnswer update(AuthRequest request) {
        UUID id = user(request);
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> phone = phone(request);
        Optional<String> hash = hash(request);
        ObjectNode columns = JSON.objectNode();
        ban(request).ifPresent(columns::setAll);
        role(request).ifPresent(role -> columns.put("role", role));
        hash.ifPresent(text -> columns.put("encrypted_password", text));
        columns.put("updated_at", clock.instant().toString());
        return transactions.run(request.tenant(), rows -> {
            var users = new Users(rows);
            JsonNode row = users.byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            Optional<String> newEmail = email.filter(to -> !to.equals(UserJson.text(row, "email")));
            Optional<String> newPhone = phone.filter(to -> !to.equals(UserJson.text(row, "phone")));
            requireFree(rows, newEmail, newPhone);
            ObjectNode known = Metadata.merged(row.path("raw_app_meta_data"), JSON.objectNode());
            newEmail.ifPresent(to -> address(rows, id, row, "email", to, columns, known));
            newPhone.ifPresent(to -> address(rows, id, row, "phone", to, columns, known));
            columns.set("raw_app_meta_data", known);
            confirm(request, columns);
            request.object("user_metadata")
                    .ifPresent(change ->
                            columns.set("raw_user_meta_data", Metadata.merged(row.path("raw_user_meta_data"), change)));
            request.object("app_metadata")
                    .ifPresent(change -> columns.set("raw_app_meta_data", Metadata.merged(known, change)));
            users.update(id, columns);
            if (hash.isPresent()) {
                new Sessions(rows).deleteOf(id, Optional.empty());
            }
            if (hash.isPresent() || newEmail.isPresent()) {
                new OneTimeTokens(rows).deleteOf(id);
            }
            new AuditLog(rows).record(AuditLog.Action.USER_MODIFIED, row);
            return new Outcome<>(AuthAnswer.ok(UserJson.of(users.byId(id).orElseThrow())), true);
        });
    }

    private void confirm(AuthRequest request, ObjectNode columns) {
        String now = clock.instant().toString();
        request.flag("email_confirm").filter(yes -> yes).ifPresent(yes -> columns.put("email_confirmed_at", now));
        request.flag("phone_confirm").filter(yes -> yes).ifPresent(yes -> columns.put("phone_confirmed_at", now));
    }

    /** @param known the user's {@code app_metadata}, which tells of a further identity */
    private static void address(
            AuthSession rows, UUID id, JsonNode row, String kind, String value, ObjectNode columns, ObjectNode known) {
        columns.put(kind, value);
        ObjectNode data = JSON.objectNode().put("sub", id.toString()).put(kind, value);
        if (UserJson.hasIdentity(row, kind)) {
            new Identities(rows).update(id, kind, data);
        } else {
            new Identities(rows).insert(id, kind, id.toString(), data);
            if (known.withArray("providers").add(kind).size() == 1) {
                known.put("provider", kind);
            }
        }
    }

    public AuthAnswer delete(AuthRequest request) {
        UUID id = user(request);
        boolean soft = request.flag("should_soft_delete").orElse(false);
        return transactions.run(request.tenant(), rows -> {
            var users = new Users(rows);
            JsonNode row = users.byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            if (soft) {
                new Sessions(rows).deleteOf(id, Optional.empty());
                new Identities(rows).deleteOf(id);
                new OneTimeTokens(rows).deleteOf(id);
                users.update(id, forgotten());
            } else {
                users.delete(id);
            }
            new AuditLog(rows).record(AuditLog.Action.USER_DELETED, row);
            return new Outcome<>(AuthAnswer.ok(JSON.objectNode()), true);
        });
    }

    /** The row stays for those that refer to it; nobody can sign in with it, and its address is free. */
    private ObjectNode forgotten() {
        ObjectNode columns = JSON.objectNode();
        columns.putNull("email").putNull("phone").put("encrypted_password", "");
        columns.set("raw_user_meta_data", JSON.objectNode());
        columns.set("raw_app_meta_data", JSON.objectNode());
        return columns.put("deleted_at", clock.instant().toString());
    }

    private static void requireFree(AuthSession rows, Optional<String> email, Optional<String> phone) {
        var users = new Users(rows);
        if (email.flatMap(users::byEmail).isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
        if (phone.flatMap(users::byPhone).isPresent()) {
            throw AuthErrorCode.PHONE_EXISTS.error();
        }
    }

    /** What is kept of a password; one that was hashed elsewhere is taken as it is. */
    private Optional<String> hash(AuthRequest request) {
        Optional<String> password = request.text("password");
        Optional<String> given = request.text("password_hash");
        if (password.isPresent() && given.isPresent()) {
            throw AuthError.invalid("Only a password or a password hash should be provided");
        }
        if (given.isPresent() && !PasswordHashes.isKnown(given.get())) {
            throw AuthError.invalid("password_hash is neither bcrypt nor argon2, or costs too much to be checked");
        }
        password.ifPresent(text -> rules.require(request.tenant().auth().password(), text));
        return password.map(hashes::hash).or(() -> given);
    }

    private Optional<ObjectNode> ban(AuthRequest request) {
        return request.text("ban_duration").map(text -> {
            ObjectNode columns = JSON.objectNode();
            if (text.equals("none")) {
                return columns.putNull("banned_until");
            }
            return columns.put(
                    "banned_until", clock.instant().plus(duration(text)).toString());
        });
    }

    private static Duration duration(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw AuthError.invalid("invalid format for ban duration: write 24h, 1h30m, 10s, or none");
        }
        return Duration.ofHours(part(parts, 1)).plusMinutes(part(parts, 2)).plusSeconds(part(parts, 3));
    }

    private static long part(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
    }

    private static Optional<String> role(AuthRequest request) {
        return request.text("role").map(role -> {
            if (!ROLE.matcher(role).matches()) {
                throw AuthError.invalid("role is a name of letters, digits and underscores");
            }
            return role;
        });
    }

    private static Optional<String> phone(AuthRequest request) {
        return request.text("phone").map(PhoneNumber::of);
    }
}
