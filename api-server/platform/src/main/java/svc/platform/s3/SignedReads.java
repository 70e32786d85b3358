package svc.platform.s3;

import java.net.URI;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/**
 * Signs reads of the platform's bucket (SigV4) for a client other than the SDK's, which blocks a thread for each call. Does
 * not block itself, as long as its credentials are at hand.
 */
public final class SignedReads {
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final URI root;
    private final String region;
    private final AwsCredentialsProvider credentials;

    /** @param root of the bucket's keys, with a slash at its end */
    SignedReads(URI root, String region, AwsCredentialsProvider credentials) {
        this.root = root;
        this.region = region;
        this.credentials = credentials;
    }

    /**
     * A request that can be sent within a few minutes.
     *
     * @param headers of it; {@code Host} is among them
     */
    public record SignedRead(URI address, Map<String, List<String>> headers) {}

    /** A read of some bytes of an object. @param last inclusive */
    public SignedRead of(String key, long first, long last) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(root.resolve(key))
                .putHeader("Range", "bytes=" + first + "-" + last)
                .build();
        SdkHttpRequest signed = signer.sign(what -> what.identity(credentials.resolveCredentials())
                        .request(request)
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false)
                        // There is no payload.
                        .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false))
                .request();
        return new SignedRead(signed.getUri(), signed.headers());
    }
}
