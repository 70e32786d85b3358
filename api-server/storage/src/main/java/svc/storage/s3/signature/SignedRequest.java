package svc.storage.s3.signature;

import com.google.re2j.Pattern;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The parts of a request that a signature covers, as the client sent them.
 *
 * @param query raw, without the question mark
 * @param headers as they were received
 */
public record SignedRequest(String method, String query, MultiMap headers) {
    /** In a query: the signature of everything else. */
    private static final String SIGNATURE = "X-Amz-Signature";

    private static final Pattern BLANKS = Pattern.compile(" +");

    private record Parameter(String name, String value) {}

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** The first value of a query parameter, decoded. */
    Optional<String> parameter(String name) {
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (UriText.decoded(key).equals(name)) {
                return Optional.of(equals < 0 ? "" : UriText.decoded(pair.substring(equals + 1)));
            }
        }
        return Optional.empty();
    }

    /**
     * The canonical request.
     *
     * @param address where the client says it has sent it
     * @param signed names of headers in lower case
     * @param payload the hash of the body, or what stands for it
     */
    String canonical(SignedAddress address, List<String> signed, String payload) {
        var text = new StringBuilder(512);
        text.append(method).append('\n').append(address.path()).append('\n');
        text.append(canonicalQuery()).append('\n');
        for (String name : signed) {
            text.append(name).append(':').append(value(name, address)).append('\n');
        }
        return text.append('\n')
                .append(String.join(";", signed))
                .append('\n')
                .append(payload)
                .toString();
    }

    private String value(String name, SignedAddress address) {
        if (name.equals("host")) {
            return address.host();
        }
        return headers.getAll(name).stream()
                .map(value -> BLANKS.matcher(value.strip()).replaceAll(" "))
                .collect(Collectors.joining(","));
    }

    private String canonicalQuery() {
        if (query.isEmpty()) {
            return "";
        }
        List<Parameter> parameters = new ArrayList<>();
        for (String pair : query.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!name.equals(SIGNATURE)) {
                parameters.add(new Parameter(
                        UriText.encode(UriText.decode(name), ""), UriText.encode(UriText.decode(value), "")));
            }
        }
        return parameters.stream()
                .sorted(Comparator.comparing(Parameter::name).thenComparing(Parameter::value))
                .map(each -> each.name() + "=" + each.value())
                .collect(Collectors.joining("&"));
    }

    /** Headers that must be signed where they are sent: those of the protocol, because they change what is done. */
    List<String> protocolHeaders() {
        return headers.names().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> name.startsWith("x-amz-") && !name.equals("x-amz-cf-id"))
                .toList();
    }
}
