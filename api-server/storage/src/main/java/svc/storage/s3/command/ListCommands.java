package svc.storage.s3.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import svc.storage.name.ObjectName;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ListingRows;
import svc.storage.rows.ListingRows.Range;
import svc.storage.s3.signature.UriText;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlText;

/** ListObjects in both versions. Entries are in the order of their names' bytes, as in S3. */
public final class ListCommands {
    private static final int MAX_KEYS = 1_000;

    private final BucketRows buckets;
    private final ListingRows rows;

    public ListCommands(BucketRows buckets, ListingRows rows) {
        this.buckets = buckets;
        this.rows = rows;
    }

    /**
     * What is listed.
     *
     * @param least the name from which on; empty for the first
     * @param encoded whether names are percent-encoded in the answer
     */
    private record Wanted(String prefix, boolean folders, int most, String least, boolean encoded) {
        static Wanted of(S3Call call, String least) {
            String delimiter = call.parameter("delimiter").orElse("");
            if (!delimiter.isEmpty() && !delimiter.equals("/")) {
                throw S3Error.notImplemented("The delimiter / alone is supported.");
            }
            String encoding = call.parameter("encoding-type").orElse("");
            if (!encoding.isEmpty() && !encoding.equals("url")) {
                throw S3Error.invalidArgument("Invalid Encoding Method specified in Request");
            }
            return new Wanted(
                    ObjectName.normal(call.parameter("prefix").orElse("")),
                    !delimiter.isEmpty(),
                    Math.min(MAX_KEYS, call.number("max-keys", MAX_KEYS)),
                    least,
                    !encoding.isEmpty());
        }

        String shown(String name) {
            return encoded ? UriText.encode(name, "/") : name;
        }
    }

    /** A page: objects and common prefixes, and the last of all. */
    private record Page(List<JsonNode> objects, List<String> prefixes, boolean truncated, String last) {
        int size() {
            return objects.size() + prefixes.size();
        }
    }

    /** ListObjects. */
    void first(S3Call call) {
        String marker = ObjectName.normal(call.parameter("marker").orElse(""));
        Wanted wanted = Wanted.of(call, behind(call, marker));
        Page page = page(call, wanted);
        call.answer(XmlText.document("ListBucketResult", xml -> {
            head(xml, call, wanted, page);
            xml.text("Marker", wanted.shown(marker));
            if (page.truncated()) {
                xml.text("NextMarker", wanted.shown(page.last()));
            }
            entries(xml, call, wanted, page, true);
        }));
    }

    /** ListObjectsV2. */
    void second(S3Call call) {
        Optional<String> token = call.parameter("continuation-token");
        String after = call.parameter("start-after").orElse("");
        String least = token.map(ListCommands::opened).orElseGet(() -> behind(call, ObjectName.normal(after)));
        Wanted wanted = Wanted.of(call, least);
        Page page = page(call, wanted);
        boolean owner = call.parameter("fetch-owner").filter("true"::equals).isPresent();
        call.answer(XmlText.document("ListBucketResult", xml -> {
            head(xml, call, wanted, page);
            xml.number("KeyCount", page.size());
            token.ifPresent(given -> xml.text("ContinuationToken", given));
            if (!after.isEmpty()) {
                xml.text("StartAfter", wanted.shown(after));
            }
            if (page.truncated()) {
                xml.text("NextContinuationToken", token(behind(call, page.last())));
            }
            entries(xml, call, wanted, page, owner);
        }));
    }

    /** The least name that follows; of a common prefix, the least that does not begin with it. */
    private static String behind(S3Call call, String name) {
        if (name.isEmpty()) {
            return "";
        }
        boolean folder = call.parameter("delimiter").orElse("").equals("/") && name.endsWith("/");
        return folder ? name.substring(0, name.length() - 1) + "0" : name + "\u0001";
    }

    private static String token(String least) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(least.getBytes(StandardCharsets.UTF_8));
    }

    private static String opened(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw S3Error.invalidArgument("The continuation token provided is incorrect");
        }
    }

    private Page page(S3Call call, Wanted wanted) {
        buckets.look(call.call(), call.bucket());
        Range all = Range.of(call.bucket(), wanted.prefix());
        Range range = precedes(all.least(), wanted.least()) ? all.from(wanted.least()) : all;
        if (wanted.most() == 0) {
            return new Page(List.of(), List.of(), false, "");
        }
        JsonNode found = rows.next(call.call(), range, wanted.folders(), false, wanted.most() + 1L);
        List<JsonNode> objects = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        String last = "";
        for (int i = 0; i < Math.min(wanted.most(), found.size()); i++) {
            JsonNode entry = found.get(i);
            if (entry.path("folder").asBoolean()) {
                String rest = entry.path("rest").asText();
                last = wanted.prefix() + rest.substring(0, rest.indexOf('/') + 1);
                prefixes.add(last);
            } else {
                last = entry.path("name").asText();
                objects.add(entry);
            }
        }
        return new Page(objects, prefixes, found.size() > wanted.most(), last);
    }

    private static boolean precedes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)) < 0;
    }

    private static void head(XmlText xml, S3Call call, Wanted wanted, Page page) {
        xml.text("Name", call.bucket()).text("Prefix", wanted.shown(wanted.prefix()));
        if (wanted.folders()) {
            xml.text("Delimiter", "/");
        }
        if (wanted.encoded()) {
            xml.text("EncodingType", "url");
        }
        xml.number("MaxKeys", wanted.most()).text("IsTruncated", Boolean.toString(page.truncated()));
    }

    private static void entries(XmlText xml, S3Call call, Wanted wanted, Page page, boolean owner) {
        String ref = call.call().tenant().ref();
        for (JsonNode object : page.objects()) {
            JsonNode metadata = object.path("metadata");
            xml.element("Contents", one -> {
                one.text("Key", wanted.shown(object.path("name").asText()))
                        .text(
                                "LastModified",
                                metadata.path("lastModified")
                                        .asText(object.path("updated_at").asText()))
                        .text(
                                "ETag",
                                metadata.path("eTag")
                                        .asText("\"" + object.path("id").asText() + "\""))
                        .number("Size", Math.max(0, metadata.path("size").asLong(0)))
                        .text("StorageClass", "STANDARD");
                if (owner) {
                    one.element("Owner", who -> who.text("ID", ref).text("DisplayName", ref));
                }
            });
        }
        for (String prefix : page.prefixes()) {
            xml.element("CommonPrefixes", one -> one.text("Prefix", wanted.shown(prefix)));
        }
    }
}
