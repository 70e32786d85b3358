package svc.auth.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.auth.provider.ExternalUser.Email;
import svc.crds.project.auth.ProviderType;

/** Maps the providers' answers to {@link ExternalUser}. Pure. */
final class Profiles {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** The claims that are stored (OpenID Connect Core 1.0, 5.1). */
    private static final List<String> CLAIMS = List.of(
            "iss",
            "name",
            "given_name",
            "family_name",
            "middle_name",
            "nickname",
            "preferred_username",
            "profile",
            "picture",
            "website",
            "gender",
            "birthdate",
            "zoneinfo",
            "locale");

    /** Supabase's older names, which applications still read. */
    private static final Map<String, String> OLDER =
            Map.of("avatar_url", "picture", "full_name", "name", "user_name", "preferred_username");

    /** Claims of single providers. */
    private static final List<String> CUSTOM = List.of("hd", "is_private_email");

    /** The directory of Microsoft's personal accounts, whose addresses Microsoft has verified. */
    private static final String PRIVATE_ACCOUNTS = "9188040d-6c67-4c5b-b112-36a304b66dad";

    /** Multi-tenant endpoints: the administrator of any directory can set any address. */
    private static final List<String> MANY_DIRECTORIES = List.of("/common/v2.0", "/organizations/v2.0");

    private static final int MAX_TEXT_CHARACTERS = 2048;

    private Profiles() {}

    /**
     * @param home the provider's address in the settings
     * @param claims of a validated token
     */
    static ExternalUser ofClaims(ProviderType type, String home, JsonNode claims) {
        ObjectNode profile = JSON.objectNode();
        CLAIMS.forEach(name -> put(profile, name, claims.path(name)));
        OLDER.forEach((older, name) -> put(profile, older, claims.path(name)));
        ObjectNode custom = JSON.objectNode();
        CUSTOM.forEach(name -> put(custom, name, claims.path(name)));
        if (!custom.isEmpty()) {
            profile.set("custom_claims", custom);
        }
        List<Email> emails = address(claims.path("email"))
                .map(address -> List.of(new Email(address, isVerified(type, home, claims))))
                .orElse(List.of());
        return new ExternalUser(claims.path("sub").asText(), emails, profile);
    }

    private static boolean isVerified(ProviderType type, String home, JsonNode claims) {
        return switch (type) {
            // The administrator of a directory can set any address: it is verified in the project's own directory, or
            // by
            // Microsoft's claim.
            case AZURE -> {
                boolean multiTenant = MANY_DIRECTORIES.stream().anyMatch(home::endsWith);
                yield claims.has("xms_edov")
                        ? isTrue(claims.path("xms_edov"))
                        : !multiTenant || claims.path("tid").asText().equals(PRIVATE_ACCOUNTS);
            }
            case APPLE -> !claims.has("email_verified") || isTrue(claims.path("email_verified"));
            default -> isTrue(claims.path("email_verified"));
        };
    }

    /** Some providers write the boolean as text. */
    private static boolean isTrue(JsonNode value) {
        return value.isBoolean()
                ? value.booleanValue()
                : value.asText().equals("true") || value.asText().equals("1");
    }

    /**
     * @param user the answer of {@code /user}
     * @param addresses the answer of {@code /user/emails}
     */
    static ExternalUser ofGitHub(String api, JsonNode user, JsonNode addresses) {
        List<Email> emails = new ArrayList<>();
        for (JsonNode one : addresses) {
            address(one.path("email")).ifPresent(address -> {
                var email = new Email(address, one.path("verified").asBoolean(false));
                if (one.path("primary").asBoolean(false)) {
                    emails.addFirst(email);
                } else {
                    emails.add(email);
                }
            });
        }
        ObjectNode profile = named(api, user.path("name"), user.path("login"), user.path("avatar_url"));
        return new ExternalUser(subject(user), emails, profile);
    }

    /** @param user the answer of {@code /api/v4/user} */
    static ExternalUser ofGitLab(String home, JsonNode user) {
        boolean verified = !user.path("confirmed_at").asText("").isEmpty()
                && !user.path("confirmed_at").isNull();
        List<Email> emails = address(user.path("email"))
                .map(address -> List.of(new Email(address, verified)))
                .orElse(List.of());
        ObjectNode profile = named(home, user.path("name"), user.path("username"), user.path("avatar_url"));
        return new ExternalUser(subject(user), emails, profile);
    }

    private static String subject(JsonNode user) {
        if (!user.path("id").isIntegralNumber()) {
            throw new ProviderFault("it does not say who the user is");
        }
        return user.path("id").asText();
    }

    private static ObjectNode named(String issuer, JsonNode name, JsonNode login, JsonNode picture) {
        ObjectNode profile = JSON.objectNode().put("iss", issuer);
        put(profile, "name", name);
        put(profile, "full_name", name);
        put(profile, "preferred_username", login);
        put(profile, "user_name", login);
        put(profile, "avatar_url", picture);
        return profile;
    }

    /** Apple sends the name once, in a form that the browser can forge: so only the name is read from it. */
    static ExternalUser named(ExternalUser user, JsonNode form) {
        String first = text(form.path("name").path("firstName")).orElse("");
        String last = text(form.path("name").path("lastName")).orElse("");
        String name = (first + " " + last).strip();
        if (name.isEmpty()) {
            return user;
        }
        ObjectNode profile = user.profile().deepCopy();
        profile.put("name", name).put("full_name", name);
        return new ExternalUser(user.subject(), user.emails(), profile);
    }

    private static void put(ObjectNode into, String name, JsonNode value) {
        if (value.isBoolean()) {
            into.set(name, value);
        } else {
            text(value).ifPresent(text -> into.put(name, text));
        }
    }

    /** Empty for a text that PostgreSQL cannot store, and for one that is too long to display. */
    private static Optional<String> text(JsonNode value) {
        return Optional.ofNullable(value.textValue())
                .filter(text -> !text.isEmpty() && text.length() <= MAX_TEXT_CHARACTERS && text.indexOf(0) < 0);
    }

    private static Optional<String> address(JsonNode value) {
        return text(value).map(text -> text.strip().toLowerCase(Locale.ROOT)).filter(text -> text.contains("@"));
    }
}
