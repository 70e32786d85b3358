package svc.auth.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A user as a provider knows it.
 *
 * @param subject the provider's own name for it, which never changes
 * @param emails its addresses, in lower case, the primary one first
 * @param profile what else is known, under the names that clients read in {@code identity_data}
 */
public record ExternalUser(String subject, List<Email> emails, ObjectNode profile) {
    private static final int MAX_SUBJECT_CHARACTERS = 255;

    /** @throws ProviderFault for a subject that is none */
    public ExternalUser {
        if (subject.isBlank() || subject.length() > MAX_SUBJECT_CHARACTERS || subject.indexOf(0) >= 0) {
            throw new ProviderFault("it does not say who the user is");
        }
        emails = List.copyOf(emails);
    }

    /** @param verified whether the provider has made sure that it is the user's */
    public record Email(String address, boolean verified) {}

    /** The one that an account would get. */
    public Optional<Email> primary() {
        return emails.stream().findFirst();
    }

    /** Those by which it may be recognised. */
    public Set<String> verified() {
        return emails.stream().filter(Email::verified).map(Email::address).collect(Collectors.toUnmodifiableSet());
    }

    /** As {@code auth.identities} keeps it. */
    public ObjectNode identityData() {
        ObjectNode data = profile.deepCopy();
        data.put("sub", subject);
        data.put("provider_id", subject);
        primary().ifPresent(email -> data.put("email", email.address()));
        data.put("email_verified", primary().filter(Email::verified).isPresent());
        data.put("phone_verified", false);
        return data;
    }
}
