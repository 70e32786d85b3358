package svc.auth.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A provider's user.
 *
 * @param subject the provider's immutable id of the user
 * @param emails in lower case, the primary one first
 * @param profile further data, under the names that clients read in {@code identity_data}
 */
public record ExternalUser(String subject, List<Email> emails, ObjectNode profile) {
    private static final int MAX_SUBJECT_CHARACTERS = 255;

    /** @throws ProviderFault for an invalid subject */
    public ExternalUser {
        if (subject.isBlank() || subject.length() > MAX_SUBJECT_CHARACTERS || subject.indexOf(0) >= 0) {
            throw new ProviderFault("it does not say who the user is");
        }
        emails = List.copyOf(emails);
    }

    /** @param verified by the provider */
    public record Email(String address, boolean verified) {}

    /** The address for a new account. */
    public Optional<Email> primary() {
        return emails.stream().findFirst();
    }

    /** The addresses that may resolve to an existing user. */
    public Set<String> verified() {
        return emails.stream().filter(Email::verified).map(Email::address).collect(Collectors.toUnmodifiableSet());
    }

    /** The column {@code identity_data} of {@code auth.identities}. */
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
