package svc.storage.s3.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import svc.storage.body.CacheControl;
import svc.storage.http.StorageCall;
import svc.storage.name.MimeType;
import svc.storage.rows.ObjectRow;
import svc.storage.s3.xml.S3Error;

/** What headers say of an object, as rows keep it, and back. */
final class ObjectHeaders {
    private static final String META = "x-amz-meta-";
    private static final int MAX_META_BYTES = 2048;
    private static final Pattern SAFE = Pattern.compile("[\\x20-\\x7e]+");
    private static final int MAX_SAFE = 1_024;
    private static final Pattern NAME = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]{1,128}");

    /** Headers that rows keep under these names, and answers repeat. */
    private static final Map<String, String> KEPT = Map.of(
            "content-encoding", "contentEncoding",
            "content-disposition", "contentDisposition",
            "content-language", "contentLanguage");

    /** What would be lost in silence. */
    private static final List<String> UNSUPPORTED = List.of(
            "x-amz-tagging",
            "x-amz-website-redirect-location",
            "x-amz-object-lock-mode",
            "x-amz-object-lock-retain-until-date",
            "x-amz-object-lock-legal-hold",
            "x-amz-server-side-encryption-customer-algorithm",
            "x-amz-server-side-encryption-customer-key",
            "x-amz-copy-source-server-side-encryption-customer-key",
            "x-amz-write-offset-bytes");

    /** Parameters of a download that replace a header of its answer. */
    private static final List<String> OVERRIDES = List.of(
            "content-type", "content-language", "expires", "cache-control", "content-disposition", "content-encoding");

    private ObjectHeaders() {}

    /** @throws S3Error for a header that asks for what the platform does not do */
    static void requireSupported(S3Call call) {
        for (String name : UNSUPPORTED) {
            if (call.header(name).isPresent()) {
                throw S3Error.notImplemented("The header " + name + " is not supported.");
            }
        }
    }

    static String mimetype(Function<String, Optional<String>> headers) {
        return headers.apply("content-type").filter(type -> !type.isBlank()).orElse(MimeType.UNKNOWN);
    }

    static String cacheControl(Function<String, Optional<String>> headers) {
        return headers.apply("cache-control").map(CacheControl::ofHeader).orElse(CacheControl.NONE);
    }

    /** What the metadata of a row says besides. */
    static ObjectNode more(Function<String, Optional<String>> headers) {
        ObjectNode more = StorageCall.newObject();
        KEPT.forEach((header, name) -> headers.apply(header)
                .map(value -> header.equals("content-encoding") ? withoutChunks(value) : value)
                .filter(value -> isSafe(value))
                .ifPresent(value -> more.put(name, value)));
        return more;
    }

    /** The encoding of the transfer is not one of the content. */
    private static String withoutChunks(String encodings) {
        return Arrays.stream(encodings.split(","))
                .map(String::strip)
                .filter(encoding -> !encoding.isEmpty() && !encoding.equalsIgnoreCase("aws-chunked"))
                .collect(Collectors.joining(","));
    }

    /**
     * The user's own metadata; empty without any.
     *
     * @param headers by name
     * @throws S3Error when it is longer than S3 accepts
     */
    static Optional<ObjectNode> userMetadata(Iterable<Map.Entry<String, String>> headers) {
        ObjectNode metadata = StorageCall.newObject();
        int bytes = 0;
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith(META) && name.length() > META.length()) {
                String key = name.substring(META.length());
                String value = header.getValue();
                bytes += key.length() + value.getBytes(StandardCharsets.UTF_8).length;
                if (bytes > MAX_META_BYTES) {
                    // Before values of one name are joined, which copies them each time.
                    throw S3Error.metadataTooLarge();
                }
                metadata.put(key, metadata.has(key) ? metadata.path(key).asText() + "," + value : value);
            }
        }
        return metadata.isEmpty() ? Optional.empty() : Optional.of(metadata);
    }

    /** Adds to an answer what the row keeps, and what the request wants instead. */
    static void answer(S3Call call, HttpServerResponse response, ObjectRow row) {
        KEPT.forEach((header, name) -> {
            String value = row.metadata().path(name).asText("");
            if (isSafe(value)) {
                response.putHeader(header, value);
            }
        });
        int missing = 0;
        for (Map.Entry<String, JsonNode> entry : row.userMetadata().properties()) {
            String name = entry.getKey().toLowerCase(Locale.ROOT);
            String value = entry.getValue().isValueNode()
                    ? entry.getValue().asText()
                    : entry.getValue().toString();
            if (NAME.matcher(name).matches() && (value.isEmpty() || isSafe(value))) {
                response.putHeader(META + name, value);
            } else {
                missing++;
            }
        }
        if (missing > 0) {
            response.putHeader("x-amz-missing-meta", Integer.toString(missing));
        }
        for (String name : OVERRIDES) {
            call.parameter("response-" + name)
                    .filter(value -> isSafe(value))
                    .ifPresent(value -> response.putHeader(name, value));
        }
    }

    private static boolean isSafe(String value) {
        return value.length() <= MAX_SAFE && SAFE.matcher(value).matches();
    }
}
