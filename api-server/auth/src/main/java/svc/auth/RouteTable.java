package svc.auth;

import java.util.Set;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;

/** Every call of {@code /auth/v1}: method, path, handler. Paths below {@code /admin/} need the service-role key. */
final class RouteTable {
    private static final Set<String> USERS = Set.of("/user", "/factors", "/logout", "/reauthenticate");

    private RouteTable() {}

    static AuthRoutes of(UseCases use) {
        return UnsupportedEndpoints.on(new AuthRoutes()
                // discovery
                .on("GET", "/health", request -> Discovery.health())
                .on("GET", "/settings", Discovery::settings)
                .on("GET", "/.well-known/jwks.json", use.discovery()::keys)
                .on("GET", "/.well-known/openid-configuration", Discovery::openId)
                // sign-up and sign-in
                .on("POST", "/signup", use.captcha().before(use.signUp()::answer))
                .on("POST", "/token", use.tokens())
                .on("POST", "/otp", use.captcha().before(either(use.mailSignIn()::signIn, use.phoneSignIn()::signIn)))
                .on("POST", "/magiclink", use.captcha().before(use.mailSignIn()::signIn))
                .on("POST", "/recover", use.captcha().before(use.mailSignIn()::recover))
                .on("POST", "/resend", use.captcha().before(either(use.resend()::answer, use.phoneSignIn()::resend)))
                .on("POST", "/verify", either(use.verification()::post, use.phoneSignIn()::verify))
                .on("GET", "/verify", use.verification()::link)
                .on("HEAD", "/verify", use.verification()::head)
                // external providers
                .on("GET", "/authorize", use.external()::signIn)
                .on("GET", "/callback", use.external()::callback)
                .on("POST", "/callback", use.external()::callback)
                .on("GET", "/user/identities/authorize", use.external()::link)
                .on("DELETE", "/user/identities/{id}", use.external()::unlink)
                // the signed-in user
                .on("GET", "/user", AuthRoutes.async(use.user()::get))
                .on("PUT", "/user", use.user()::update)
                .on("POST", "/logout", use.user()::logout)
                .on("GET", "/reauthenticate", use.reauthentication()::send)
                .on("POST", "/factors", use.factors()::enroll)
                .on("DELETE", "/factors/{id}", use.factors()::unenroll)
                .on("POST", "/factors/{id}/challenge", use.challenges()::challenge)
                .on("POST", "/factors/{id}/verify", use.challenges()::verify)
                // service-role key
                .on("POST", "/invite", use.adminLinks()::invite)
                .on("POST", "/admin/generate_link", use.adminLinks()::generate)
                .on("GET", "/admin/users", use.adminUsers()::list)
                .on("POST", "/admin/users", use.adminUsers()::create)
                .on("GET", "/admin/users/{id}", use.adminUsers()::get)
                .on("PUT", "/admin/users/{id}", use.adminUsers()::update)
                .on("DELETE", "/admin/users/{id}", use.adminUsers()::delete)
                .on("GET", "/admin/users/{id}/factors", use.adminFactors()::list)
                .on("DELETE", "/admin/users/{id}/factors/{factor}", use.adminFactors()::delete));
    }

    /** Whether a call needs the token of a user. The token is checked before all other parts of the request. */
    static boolean isForUsers(String path) {
        return USERS.contains(path) || path.startsWith("/factors/") || path.startsWith("/user/identities/");
    }

    /** By whether the body has a phone number; with an address as well the call is ambiguous. */
    private static Endpoint either(Endpoint email, Endpoint phone) {
        return request -> {
            if (request.text("phone").isEmpty()) {
                return email.answer(request);
            }
            if (request.text("email").isPresent()) {
                throw AuthError.invalid("Only an email address or phone number should be provided");
            }
            return phone.answer(request);
        };
    }
}
