package svc.embedded.kubernetes.protobuf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;

/**
 * Bodies of type {@code application/vnd.kubernetes.protobuf}: recent versions of kubectl send a few simple kinds so,
 * and do not fall back to JSON. Kinds and fields that are not in {@code messages.txt} are refused, never dropped.
 */
public final class ProtobufBody {
    public static final String CONTENT_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final Map<String, ProtobufMessage> MESSAGES = ProtobufMessage.known();

    private ProtobufBody() {}

    /** The object of a body.
     *
     * @throws ApiFailure 415 for a kind or field that is not known, 400 for bytes that are no such body */
    public static ObjectNode parse(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw ApiFailure.badRequest("the body of the request is no Kubernetes protobuf");
        }
        try {
            return envelope(CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length));
        } catch (IOException e) {
            throw ApiFailure.badRequest("the body of the request cannot be read: " + e.getMessage());
        }
    }

    // runtime.Unknown: 1 the type (1 apiVersion, 2 kind), 2 the object.
    private static ObjectNode envelope(CodedInputStream in) throws IOException {
        String apiVersion = "";
        String kind = "";
        byte[] object = {};
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> {
                    CodedInputStream type = CodedInputStream.newInstance(in.readByteArray());
                    for (int inner = type.readTag(); inner != 0; inner = type.readTag()) {
                        String text = type.readString();
                        if (WireFormat.getTagFieldNumber(inner) == 1) {
                            apiVersion = text;
                        } else {
                            kind = text;
                        }
                    }
                }
                case 2 -> object = in.readByteArray();
                default -> in.skipField(tag);
            }
        }
        ProtobufMessage message = MESSAGES.get(kind);
        if (message == null) {
            throw unknown(kind);
        }
        ObjectNode node = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        message.read(CodedInputStream.newInstance(object), node, MESSAGES);
        return node;
    }

    static ApiFailure unknown(String what) {
        return ApiFailure.unsupportedMediaType(
                CONTENT_TYPE + " of " + what, List.of("application/json", "application/yaml"));
    }
}
