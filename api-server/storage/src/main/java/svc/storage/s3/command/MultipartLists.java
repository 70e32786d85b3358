package svc.storage.s3.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import svc.storage.name.ObjectName;
import svc.storage.rows.MultipartRows.Part;
import svc.storage.rows.MultipartRows.Upload;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlText;

/** Lists uploads in parts, and the parts of one. */
public final class MultipartLists {
    private final MultipartServices with;
    private final MultipartUploads uploads;

    public MultipartLists(MultipartServices with) {
        this.with = with;
        this.uploads = new MultipartUploads(with.rows(), with.objects());
    }

    /** ListParts. */
    void listParts(S3Call call) {
        Upload upload = uploads.require(call);
        int most = Math.min(1_000, call.number("max-parts", 1_000));
        int after = call.number("part-number-marker", 0);
        List<Part> found = with.rows().parts(call.call(), upload.id(), after, most + 1L);
        List<Part> shown = found.subList(0, Math.min(most, found.size()));
        call.answer(XmlText.document("ListPartsResult", xml -> {
            xml.text("Bucket", call.bucket())
                    .text("Key", call.key())
                    .text("UploadId", upload.id())
                    .text("StorageClass", "STANDARD")
                    .number("PartNumberMarker", after);
            if (found.size() > shown.size() && !shown.isEmpty()) {
                xml.number("NextPartNumberMarker", shown.getLast().number());
            }
            xml.number("MaxParts", most).text("IsTruncated", Boolean.toString(found.size() > shown.size()));
            shown.forEach(part -> xml.element(
                    "Part",
                    one -> one.number("PartNumber", part.number())
                            .text("LastModified", part.modified())
                            .text("ETag", part.etag())
                            .number("Size", part.size())));
        }));
    }

    /** ListMultipartUploads: all of them for the service role, else the caller's own. */
    void listUploads(S3Call call) {
        with.buckets().prepared(call.call(), call.bucket());
        int most = Math.min(1_000, call.number("max-uploads", 1_000));
        String prefix = ObjectName.normal(call.parameter("prefix").orElse(""));
        String keyMarker = call.parameter("key-marker").orElse("");
        String idMarker = call.parameter("upload-id-marker").orElse("");
        if (!call.parameter("delimiter").orElse("").isEmpty()) {
            throw S3Error.notImplemented("Uploads are listed without a delimiter.");
        }
        Optional<String> owner = call.call().isService()
                ? Optional.empty()
                : Optional.of(call.call().user().orElse(""));
        JsonNode found = with.rows().list(call.call(), prefix, keyMarker, idMarker, owner, most + 1L);
        int shown = Math.min(most, found.size());
        call.answer(XmlText.document("ListMultipartUploadsResult", xml -> {
            xml.text("Bucket", call.bucket())
                    .text("KeyMarker", keyMarker)
                    .text("UploadIdMarker", idMarker)
                    .text("Prefix", prefix);
            if (found.size() > shown && shown > 0) {
                xml.text("NextKeyMarker", found.get(shown - 1).path("key").asText())
                        .text(
                                "NextUploadIdMarker",
                                found.get(shown - 1).path("id").asText());
            }
            xml.number("MaxUploads", most).text("IsTruncated", Boolean.toString(found.size() > shown));
            for (int i = 0; i < shown; i++) {
                JsonNode upload = found.get(i);
                xml.element(
                        "Upload",
                        one -> one.text("Key", upload.path("key").asText())
                                .text("UploadId", upload.path("id").asText())
                                .text("StorageClass", "STANDARD")
                                .text("Initiated", upload.path("created").asText()));
            }
        }));
    }
}
