package svc.storage.s3.command;

import com.google.re2j.Pattern;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.s3.signature.Payload;
import svc.storage.s3.signature.UriText;
import svc.storage.s3.signature.Verified;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlElement;

/**
 * One request of the protocol, its signature verified.
 *
 * @param call the caller, the bucket and the key; its operation is the command's
 * @param parameters of the query, decoded
 */
public record S3Call(StorageCall call, Verified verified, BodyReader body, Map<String, String> parameters) {
    /** Ten thousand parts of a multipart upload, each with its checksums. */
    static final int MAX_DOCUMENT = 4 << 20;

    private static final int MAX_PARAMETERS = 64;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /**
     * The first values of all parameters; a parameter without a value has the empty one. Hazard: they are taken apart as the
     * signature does it. Where a semicolon separated, or a plus sign were a space, one signature would have two meanings.
     */
    public static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String[] pairs = query.split("&", MAX_PARAMETERS + 1);
        if (pairs.length > MAX_PARAMETERS) {
            throw S3Error.invalidArgument("The query string has more than " + MAX_PARAMETERS + " parameters.");
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String name = UriText.decoded(equals < 0 ? pair : pair.substring(0, equals));
            if (!name.isEmpty()) {
                parameters.putIfAbsent(name, equals < 0 ? "" : UriText.decoded(pair.substring(equals + 1)));
            }
        }
        return parameters;
    }

    String bucket() {
        return call.bucket();
    }

    String key() {
        return call.object();
    }

    Optional<String> header(String name) {
        return call.header(name);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * A number of the query.
     *
     * @throws S3Error for text that is no number from 0
     */
    int number(String name, int otherwise) {
        String text = parameter(name).filter(given -> !given.isEmpty()).orElse(Integer.toString(otherwise));
        if (!NUMBER.matcher(text).matches()) {
            throw S3Error.invalidArgument(name + " must be an integer between 0 and 2147483647");
        }
        return Integer.parseInt(text);
    }

    /** The content of the body, verified while it is read. */
    Payload payload() {
        return Payload.of(verified, call.request().headers(), body);
    }

    /**
     * The document that the body is, read whole.
     *
     * @throws S3Error for a longer or another one
     */
    XmlElement document(Payload payload, String root) {
        if (payload.length().orElseThrow(S3Error::missingLength) > MAX_DOCUMENT) {
            throw S3Error.messageTooLong();
        }
        body.begin();
        try {
            return XmlElement.read(payload.readAllBytes(), root);
        } catch (IOException e) {
            throw S3Error.incompleteBody();
        }
    }

    HttpServerResponse response() {
        return call.response();
    }

    /** Answers with a document. */
    void answer(String document) {
        response().putHeader("content-type", "application/xml");
        end(response(), call.request().method(), document);
    }

    /** Answers without a body. */
    void answer(int status) {
        response().setStatusCode(status).end().onFailure(gone -> response().close());
    }

    static void end(HttpServerResponse response, HttpMethod method, String document) {
        if (method.equals(HttpMethod.HEAD)) {
            response.end().onFailure(gone -> response.close());
        } else {
            response.end(document).onFailure(gone -> response.close());
        }
    }
}
