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

/** What providers say of a user, in the one shape that clients know. Pure. */
final class Profiles {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** What of an ID token or a userinfo answer is kept (OpenID Connect Core 1.0, 5.1). */
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

    /** Names that Supabase gave them before, which applications still read. */
    private static final Map<String, String> OLDER =
            Map.of("avatar_url", "picture", "full_name", "name", "user_name", "preferred_username");

    /** What single providers say beside that. */
    private static final List<String> CUSTOM = List.of("hd", "is_private_email");

    /** The directory of Microsoft's private accounts, whose addresses Microsoft has checked. */
    private static final String PRIVATE_ACCOUNTS = "9188040d-6c67-4c5b-b112-36a304b66dad";

    /** Directories that stand for many: whoever runs one of them can write any address into it. */
    private static final List<String> MANY_DIRECTORIES = List.of("/common/v2.0", "/organizations/v2.0");

    private static final int MAX_TEXT_CHARACTERS = 2048;

    private Profiles() {}

    /**
     * @param home where the provider is, by the settings
     * @param claims checked ones
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
            // Whoever runs a directory writes what he likes into it, so it counts for one's own, or with Microsoft's
            // word.
            case AZURE -> {
                boolean anybody = MANY_DIRECTORIES.stream().anyMatch(home::endsWith);
                yield claims.has("xms_edov")
                        ? isTrue(claims.path("xms_edov"))
                        : !anybody || claims.path("tid").asText().equals(PRIVATE_ACCOUNTS);
            }
            case APPLE -> !claims.has("email_verified") || isTrue(claims.path("email_verified"));
            default -> isTrue(claims.path("email_verified"));
        };
    }

    /** Some providers write it as text. */
    private static boolean isTrue(JsonNode value) {
        return value.isBoolean()
                ? value.booleanValue()
                : value.asText().equals("true") || value.asText().equals("1");
    }

    /**
     * @param user what {@code /user} says
     * @param addresses what {@code /user/emails} says
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

    /** @param user what {@code /api/v4/user} says */
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

    /** The name that Apple tells once, beside the token: a form of the browser, so it is taken for a name and no more. */
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

    /** Empty for what PostgreSQL cannot keep or nobody would show. */
    private static Optional<String> text(JsonNode value) {
        return Optional.ofNullable(value.textValue())
                .filter(text -> !text.isEmpty() && text.length() <= MAX_TEXT_CHARACTERS && text.indexOf(0) < 0);
    }

    private static Optional<String> address(JsonNode value) {
        return text(value).map(text -> text.strip().toLowerCase(Locale.ROOT)).filter(text -> text.contains("@"));
    }
}
