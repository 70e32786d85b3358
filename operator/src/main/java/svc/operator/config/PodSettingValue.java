package svc.operator.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;

/** Parses one value of {@link ManagedPodsConfig}. Every failure is an IllegalStateException that begins with the key. */
final class PodSettingValue {
    private static final int MAX_NAME_CHARS = 253;

    /** Kubernetes refuses an apply with a field that its types do not have, so a misspelled one must end the start. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            });

    private PodSettingValue() {}

    static IllegalStateException refused(String key, String why) {
        return new IllegalStateException("svc.managed-pods." + key + ": " + why);
    }

    /** @param type a Kubernetes type, or a list or map of it */
    static <T> T json(String key, String text, TypeReference<T> type) {
        try {
            T value = STRICT.readValue(text, type);
            if (value == null) {
                throw refused(key, "null is no value: remove the setting to have the default");
            }
            return value;
        } catch (UnrecognizedPropertyException e) {
            throw refused(key, "Kubernetes has no field " + e.getPropertyName() + " there: correct its name");
        } catch (JsonProcessingException e) {
            throw refused(key, "not JSON of the type that Kubernetes has for it: " + e.getOriginalMessage());
        }
    }

    /** The name of an object: a DNS subdomain. */
    static String name(String key, String name) {
        boolean valid = !name.isEmpty() && name.length() <= MAX_NAME_CHARS;
        char before = '.';
        for (int i = 0; valid && i < name.length(); i++) {
            char now = name.charAt(i);
            boolean letter = now >= 'a' && now <= 'z' || now >= '0' && now <= '9';
            // A label begins and ends with a letter or digit.
            valid = letter || now == '-' && before != '.' || now == '.' && before != '.' && before != '-';
            before = now;
        }
        if (!valid || before == '-' || before == '.') {
            throw refused(key, "\"" + name + "\" is no name of an object: use lower case letters, digits, - and .");
        }
        return name;
    }

    /** A positive amount. */
    static Quantity quantity(String key, String text) {
        try {
            Quantity quantity = new Quantity(text);
            BigDecimal amount = quantity.getNumericalAmount();
            if (amount.signum() > 0) {
                return quantity;
            }
        } catch (IllegalArgumentException e) {
            // The same message as for zero.
        }
        throw refused(
                key, "\"" + text + "\" is no positive amount: write it as Kubernetes does, such as 500m or 128Mi");
    }
}
