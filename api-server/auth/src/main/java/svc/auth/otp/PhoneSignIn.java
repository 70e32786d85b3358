package svc.auth.otp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.otp.PhoneCodes.Message;
import svc.auth.otp.PhoneCodes.Use;
import svc.auth.phone.PhoneMessages;
import svc.auth.phone.PhoneNumber;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.platform.tenancy.Tenant;

/** {@code /otp}, {@code /resend} and {@code /verify} for phone numbers. */
public final class PhoneSignIn {
    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final PhoneCodes codes;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public PhoneSignIn(
            AuthTransactions transactions,
            SessionGrant grant,
            PhoneCodes codes,
            UnconfirmedAccounts unconfirmedAccounts,
            AuthHooks hooks,
            AuthLimits limits,
            Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.codes = codes;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    /** @param createUser whether a number without an account gets one */
    private record OtpRequest(CallContext context, String phone, boolean createUser, ObjectNode data) {
        static OtpRequest parse(AuthRequest request) {
            return new OtpRequest(
                    request.context(),
                    PhoneNumber.of(request, AuthErrorCode.PHONE_OTP_DISABLED),
                    request.flag("create_user").orElse(true),
                    Metadata.of(request, "data").orElseGet(JsonNodeFactory.instance::objectNode));
        }
    }

    private record ResendRequest(CallContext context, Use use, String phone) {
        static ResendRequest parse(AuthRequest request) {
            Use use = parseUse(request).orElseThrow(() -> AuthError.invalid("Type provided requires an email address"));
            return new ResendRequest(request.context(), use, PhoneNumber.of(request, AuthErrorCode.PHONE_OTP_DISABLED));
        }
    }

    private record VerifyRequest(CallContext context, Use use, String phone, String code) {
        static VerifyRequest parse(AuthRequest request) {
            Use use = parseUse(request)
                    .orElseThrow(() -> AuthError.invalid("Only sms and phone_change are verified by a phone number"));
            return new VerifyRequest(
                    request.context(),
                    use,
                    PhoneNumber.of(request, AuthErrorCode.PHONE_OTP_DISABLED),
                    request.text("token")
                            .orElseThrow(() -> AuthError.invalid("Verify requires a token or a token hash")));
        }
    }

    private static Optional<Use> parseUse(AuthRequest request) {
        return switch (request.text("type").orElse("")) {
            case "sms" -> Optional.of(Use.SIGN_IN);
            case "phone_change" -> Optional.of(Use.CHANGE);
            default -> Optional.empty();
        };
    }

    /** {@code POST /otp}. */
    public AuthResponse signIn(AuthRequest call) {
        OtpRequest request = OtpRequest.parse(call);
        Tenant tenant = call.tenant();
        limits.signUpOrIn(request.context());
        PhoneMessages.requireSender(tenant);
        NewUser user = NewUser.withPhone(request.phone(), Optional.empty(), request.data(), false, clock.instant());
        if (transactions
                .run(tenant, db -> new Users(db).byPhone(request.phone()))
                .isEmpty()) {
            if (!request.createUser() || !tenant.auth().signUp()) {
                throw AuthErrorCode.OTP_SIGNUP_DISABLED.error();
            }
            hooks.beforeUserCreated(tenant, user.asUser());
        }
        return wanting(request.context(), request.phone(), () -> {
            Message message = transactions.runAgainIfTaken(
                    tenant, db -> codes.issue(tenant, db, recipient(request, db, user), request.phone(), Use.SIGN_IN));
            codes.send(tenant, message);
            return AuthResponse.empty();
        });
    }

    private AuthResponse wanting(CallContext context, String phone, Supplier<AuthResponse> call) {
        return unconfirmedAccounts.wanting(context, users -> users.byPhone(phone), call);
    }

    private User recipient(OtpRequest request, AuthSession db, NewUser user) {
        Optional<User> found = new Users(db).byPhone(request.phone());
        if (found.filter(User::isConfirmed).isPresent()) {
            return found.get();
        }
        User unconfirmed = unconfirmedAccounts.begin(request.context(), db, found, user);
        if (found.isEmpty()) {
            new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, unconfirmed);
        }
        return unconfirmed;
    }

    /** {@code POST /resend}: the answer does not reveal whether a message was due. */
    public AuthResponse resend(AuthRequest call) {
        ResendRequest request = ResendRequest.parse(call);
        limits.signUpOrIn(request.context());
        return wanting(request.context(), request.phone(), () -> resend(request));
    }

    private AuthResponse resend(ResendRequest request) {
        Tenant tenant = request.context().tenant();
        Optional<Message> message = transactions.run(tenant, db -> {
            Optional<User> due = switch (request.use()) {
                case SIGN_IN -> new Users(db).byPhone(request.phone()).filter(found -> !found.phoneConfirmed());
                case CHANGE -> PhoneCodes.changingTo(db, request.phone());
            };
            if (request.use() == Use.SIGN_IN) {
                due.ifPresent(user -> unconfirmedAccounts.repeat(request.context(), db, user));
            }
            return due.map(user -> codes.issue(tenant, db, user, request.phone(), request.use()));
        });
        message.ifPresent(due -> codes.send(tenant, due));
        return AuthResponse.empty();
    }

    /** {@code POST /verify}. */
    public AuthResponse verify(AuthRequest call) {
        VerifyRequest request = VerifyRequest.parse(call);
        Tenant tenant = call.tenant();
        limits.verification(request.context());
        limits.code(request.context(), request.phone());
        Granted granted = transactions.run(tenant, db -> {
            Sent sent = codes.use(tenant, db, request.use(), request.phone(), request.code())
                    .orElseThrow(AuthErrorCode.OTP_EXPIRED::error);
            User user = new Users(db).byId(sent.user()).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            if (user.isBanned(clock.instant())) {
                throw AuthErrorCode.USER_BANNED.error();
            }
            codes.confirm(db, prepared(request, db, user), request.phone());
            new AuditLog(db).record(AuditLog.Action.LOGIN, user);
            return grant.begin(request.context(), db, sent.user(), "otp");
        });
        return grant.answer(tenant, granted);
    }

    private User prepared(VerifyRequest request, AuthSession db, User user) {
        if (request.use() == Use.SIGN_IN) {
            return unconfirmedAccounts.prepareConfirmation(request.context(), db, user, Type.CONFIRMATION);
        }
        // The owner of the number need not be the caller who asked for the change.
        new Sessions(db).deleteOf(user.id(), Optional.empty());
        return user;
    }
}
