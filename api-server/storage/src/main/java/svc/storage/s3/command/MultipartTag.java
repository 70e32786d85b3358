package svc.storage.s3.command;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import svc.storage.content.ContentStore.NumberedPart;

/** The entity tag of an object in parts: the MD5 of the parts' MD5s, and how many they are. */
final class MultipartTag {
    private MultipartTag() {}

    /** Without quotes, which some clients leave out. */
    static String bare(String etag) {
        return etag.length() > 1 && etag.startsWith("\"") && etag.endsWith("\"")
                ? etag.substring(1, etag.length() - 1)
                : etag;
    }

    /** In quotes; empty where a part's tag is no MD5. */
    static Optional<String> of(List<NumberedPart> parts) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            for (NumberedPart part : parts) {
                byte[] digest = HexFormat.of().parseHex(bare(part.etag()));
                md5.update(digest);
            }
            return Optional.of("\"" + HexFormat.of().formatHex(md5.digest()) + "-" + parts.size() + "\"");
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
