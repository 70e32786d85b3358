package svc.auth.provider;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Pattern;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.http.AuthError;
import svc.auth.provider.ProviderCalls.Client;
import svc.auth.provider.SignInProvider.Entrance;
import svc.auth.provider.SignInProvider.Known;
import svc.auth.provider.SignInProvider.Returned;
import svc.auth.redirect.Query;
import svc.crds.project.auth.ProviderSpec;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressClient;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;

/** The providers of each project ({@code spec.auth.providers}): authorization requests and the validation of answers. */
public final class Providers {
    private static final Pattern SEPARATOR = Pattern.compile("[ ,]+");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Supabase's prefix of custom providers. */
    private static final String CUSTOM = "custom:";

    /** Providers of the service itself: no external provider may have these names. */
    private static final Set<String> OURS = Set.of("email", "phone", "anonymous_users");

    /** Parameters that decide on the answer: a caller must not set them. */
    private static final Set<String> RESERVED = Set.of(
            "client_id",
            "client_secret",
            "redirect_uri",
            "response_type",
            "response_mode",
            "scope",
            "state",
            "nonce",
            "code_challenge",
            "code_challenge_method",
            "request",
            "request_uri",
            "registration",
            "claims");

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}");

    private final ProviderCatalogue catalogue;
    private final ProviderDirectory directory;
    private final EgressClient egress;
    private final Duration limit;
    private final IdTokens tokens;
    private final ProjectSecrets secrets;

    /** @param limit timeout of each call to a provider */
    public Providers(
            ProviderCatalogue catalogue, EgressClient egress, ProjectSecrets secrets, Duration limit, Clock clock) {
        this.catalogue = catalogue;
        this.directory = new ProviderDirectory(catalogue, egress, clock);
        this.egress = egress;
        this.limit = limit;
        this.tokens = new IdTokens(clock);
        this.secrets = secrets;
    }

    /** A provider's user, and the provider's tokens for the application. */
    public record SignedIn(ExternalUser user, ProviderTokens tokens) {}

    /** The providers of a project that are enabled. */
    public static List<ProviderSpec> enabled(Tenant tenant) {
        return tenant.auth().providers().stream()
                .filter(provider -> provider.enabled() && !OURS.contains(provider.name()))
                .toList();
    }

    /**
     * The provider of a name.
     *
     * @throws AuthError when the project has no enabled provider of that name
     */
    public static ProviderSpec require(Tenant tenant, String name) {
        String bare = name.startsWith(CUSTOM) ? name.substring(CUSTOM.length()) : name;
        ProviderSpec spec = tenant.auth().providers().stream()
                .filter(provider -> provider.name().equals(bare) && !OURS.contains(bare))
                .findFirst()
                .orElseThrow(() -> AuthError.invalid("Unsupported provider: Provider " + bare + " could not be found"));
        if (!spec.enabled()) {
            throw AuthError.invalid("Unsupported provider: provider is not enabled");
        }
        return spec;
    }

    /** @throws ProviderFault when the provider is unavailable; to be called before a flow is started */
    public void requireReachable(Tenant tenant, ProviderSpec spec) {
        if (provider(tenant, spec) instanceof OpenIdProvider) {
            directory.metadata(CallOwner.of(tenant), spec);
        }
    }

    /** The provider of the project with an issuer. */
    public Optional<ProviderSpec> at(Tenant tenant, String issuer) {
        return tenant.auth().providers().stream()
                .filter(spec -> catalogue.home(spec).equals(issuer))
                .findFirst();
    }

    /**
     * The address of an authorization request.
     *
     * @param scopes in addition to the default ones, separated by spaces or commas
     * @param more parameters of the caller
     * @throws AuthError for an invalid scope
     * @throws ProviderFault when the provider is unavailable
     */
    public String entrance(
            Tenant tenant, ProviderSpec spec, FlowState flow, Optional<String> scopes, Map<String, String> more) {
        SignInProvider provider = provider(tenant, spec);
        AuthorizationRequest authorization = AuthorizationRequest.of(flow);
        Entrance entrance = provider.entrance(authorization);
        Map<String, String> members = new LinkedHashMap<>(more);
        members.keySet().removeAll(RESERVED);
        members.putAll(entrance.members());
        members.put("client_id", clientIds(spec).getFirst());
        members.put("redirect_uri", callback(tenant));
        members.put("response_type", "code");
        members.put("scope", scope(provider, spec, scopes));
        members.put("state", authorization.state());
        return Query.appended(entrance.address(), members);
    }

    private static String scope(SignInProvider provider, ProviderSpec spec, Optional<String> asked) {
        Set<String> all = new LinkedHashSet<>(Arrays.asList(provider.scopes().split(" ")));
        all.addAll(spec.scopes());
        asked.ifPresent(text -> all.addAll(Arrays.asList(SEPARATOR.split(text.strip()))));
        all.removeIf(String::isEmpty);
        if (!all.stream().allMatch(SCOPE::matches)) {
            throw AuthError.invalid("scopes holds something that is no scope");
        }
        return String.join(" ", all);
    }

    /** @throws ProviderFault when the provider refuses the code, or its answer is not valid */
    public SignedIn answer(
            Tenant tenant,
            ProviderSpec spec,
            FlowState flow,
            String code,
            Optional<String> form,
            Optional<String> issuer) {
        String secret = secrets.value(tenant, spec.clientSecretRef())
                .orElseThrow(() -> new ProviderFault("the Secret with the project's client secret is not there"));
        var client = new Client(clientIds(spec).getFirst(), secret.strip(), callback(tenant));
        Known known =
                provider(tenant, spec).answer(client, AuthorizationRequest.of(flow), new Returned(code, form, issuer));
        return new SignedIn(
                known.user(),
                new ProviderTokens(known.tokens().access(), known.tokens().refresh()));
    }

    /**
     * Validates an ID token that the application has obtained.
     *
     * @param accessToken issued together with it, if the application has it
     * @throws ProviderFault for a token that is not valid, and for a provider without ID tokens
     */
    public Named named(Tenant tenant, ProviderSpec spec, String idToken, Optional<String> accessToken) {
        if (!(provider(tenant, spec) instanceof OpenIdProvider provider)) {
            throw new ProviderFault("it has no ID tokens");
        }
        SignedJWT token = IdTokens.parsed(idToken);
        JWTClaimsSet claims =
                provider.checked(directory.metadata(CallOwner.of(tenant), spec), token, Set.copyOf(clientIds(spec)));
        if (accessToken
                .filter(access -> !IdTokens.belongsTo(token, claims, access))
                .isPresent()) {
            throw new ProviderFault("the ID token belongs to another access token");
        }
        return new Named(
                Profiles.ofClaims(spec.type(), provider.home(), JSON.valueToTree(claims.toJSONObject())),
                IdTokens.text(claims, "nonce"));
    }

    /** @param nonce empty when the token has none */
    public record Named(ExternalUser user, String nonce) {}

    private SignInProvider provider(Tenant tenant, ProviderSpec spec) {
        var calls = new ProviderCalls(egress, CallOwner.of(tenant), limit);
        String home = catalogue.home(spec);
        return switch (spec.type().protocol()) {
            case GIT_HUB_API -> ApiProvider.gitHub(home, catalogue.gitHubApi(spec), calls);
            case GIT_LAB_API -> ApiProvider.gitLab(home, calls);
            case OPEN_ID_CONNECT -> new OpenIdProvider(spec, home, directory, calls, tokens);
        };
    }

    /** Separated by commas, as in Supabase: the first is the web client's, the others are native applications'. */
    private static List<String> clientIds(ProviderSpec spec) {
        List<String> all = Arrays.stream(spec.clientId().split(","))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toList());
        return all.isEmpty() ? List.of(spec.clientId()) : all;
    }

    private static String callback(Tenant tenant) {
        return tenant.authUrl() + "/callback";
    }
}
