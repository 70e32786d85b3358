package svc.storage.s3.signature;

import java.util.Optional;
import svc.platform.dataplane.Caller;

/**
 * A request whose signature is right.
 *
 * @param payload {@code x-amz-content-sha256}
 * @param chunks what signs the chunks of a body that is signed in chunks; empty for an unsigned or presigned one
 */
public record Verified(Caller caller, String payload, Optional<ChunkSigner> chunks) {
    /**
     * Signs the chunks of a body, each with the signature before it.
     *
     * @param key of the day
     * @param seed the signature of the request
     */
    record ChunkSigner(byte[] key, String time, CredentialScope scope, String seed) {
        /** The signature of a chunk, or of the trailers. */
        String sign(String kind, String previous, String hashes) {
            return SigV4.sign(key, kind + "\n" + time + "\n" + scope.text() + "\n" + previous + "\n" + hashes);
        }

        @Override
        public String toString() {
            return "ChunkSigner";
        }
    }
}
