package svc.storage.resumable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.UUID;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.object.Refusals;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.token.UrlTokens;
import svc.storage.token.UrlTokens.Grant;
import svc.storage.token.UrlTokens.Scope;

/** By what right uploads are made and continued. An upload belongs to the caller that has begun it. */
sealed interface UploadAccess {
    /** Of the path, behind {@code /upload/resumable}. */
    String path();

    /** What a row's caller is. */
    String caller(StorageCall call);

    /**
     * Who may put this file there.
     *
     * @param owner of the file; empty for none
     */
    record Right(String owner, boolean upsert) {}

    /** Tries a new upload's right. */
    Right begin(StorageCall call, String bucket, String name, FileMetadata file, OptionalLong length);

    /** Before a request changes anything at an upload: whether it is the caller's. */
    void admit(StorageCall call, UUID id);

    /** Tries the right again, before more bytes are read. */
    void tryAgain(StorageCall call, ResumableUpload upload);

    /** By the key or the token of the request, and the policies. */
    record ByCaller(ObjectRows objects) implements UploadAccess {
        @Override
        public String path() {
            return "";
        }

        @Override
        public String caller(StorageCall call) {
            return call.caller().role().name() + ":" + call.user().orElse("");
        }

        @Override
        public Right begin(StorageCall call, String bucket, String name, FileMetadata file, OptionalLong length) {
            var right = new Right(call.user().orElse(""), call.upsert());
            String metadata = file.userMetadata().map(ObjectNode::toString).orElse("");
            attempt(
                    call,
                    new Entry(
                            bucket,
                            name,
                            right.owner(),
                            "",
                            draft(file.contentType(), file.cacheControl(), length),
                            metadata),
                    right.upsert());
            return right;
        }

        @Override
        public void admit(StorageCall call, UUID id) {
            // The row names the caller.
        }

        @Override
        public void tryAgain(StorageCall call, ResumableUpload upload) {
            String draft = draft(upload.mimetype(), upload.cacheControl(), upload.length());
            attempt(
                    call,
                    new Entry(upload.bucket(), upload.name(), upload.owner(), "", draft, upload.userMetadata()),
                    upload.upsert());
        }

        private void attempt(StorageCall call, Entry entry, boolean upsert) {
            Refusals.refusing(() -> objects.tryWrite(call, entry, upsert));
        }

        /** What policies can know of the file before it is there. */
        private static String draft(String mimetype, String cacheControl, OptionalLong length) {
            ObjectNode draft = StorageCall.newObject().put("mimetype", mimetype).put("cacheControl", cacheControl);
            length.ifPresent(bytes -> draft.put("contentLength", bytes));
            return draft.toString();
        }
    }

    /** By a token of {@code createSignedUploadUrl}, in the header {@code x-signature}. */
    record BySignature(ObjectRows objects, ResumableRows rows, UrlTokens tokens) implements UploadAccess {
        @Override
        public String path() {
            return "/sign";
        }

        /** Of the file: holders of its URL do not use up what holders of other URLs may begin. */
        @Override
        public String caller(StorageCall call) {
            String url = tokens.url(call.tenant(), token(call));
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(url.getBytes(StandardCharsets.UTF_8));
                return ResumableRows.SIGNATURE + HexFormat.of().formatHex(digest);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }

        @Override
        public Right begin(StorageCall call, String bucket, String name, FileMetadata file, OptionalLong length) {
            Grant grant = verified(call, bucket, name);
            requireFree(call, bucket, name, grant.upsert());
            return new Right(grant.owner().orElse(""), grant.upsert());
        }

        @Override
        public void admit(StorageCall call, UUID id) {
            ResumableUpload upload = rows.findSigned(call, id).orElseThrow(TusError::unknown);
            verified(call, upload.bucket(), upload.name());
        }

        @Override
        public void tryAgain(StorageCall call, ResumableUpload upload) {
            requireFree(call, upload.bucket(), upload.name(), upload.upsert());
        }

        private Grant verified(StorageCall call, String bucket, String name) {
            return tokens.verify(call.tenant(), Scope.UPLOAD, bucket + "/" + name, token(call));
        }

        private static String token(StorageCall call) {
            return call.header("x-signature").orElseThrow(StorageError::invalidSignature);
        }

        private void requireFree(StorageCall call, String bucket, String name, boolean upsert) {
            if (!upsert && objects.findForAll(call, bucket, name).isPresent()) {
                throw StorageError.objectExists();
            }
        }
    }
}
