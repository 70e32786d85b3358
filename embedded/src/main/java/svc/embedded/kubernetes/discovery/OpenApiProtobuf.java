package svc.embedded.kubernetes.discovery;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.Served;

/**
 * OpenAPI version 2 in the protobuf form that kubectl up to 1.26 insists on, with the one thing it needs there: that
 * PATCH of every kind knows {@code dryRun}. Without definitions it leaves validation to the server.
 */
final class OpenApiProtobuf {
    // Field numbers of gnostic's openapi.v2: OpenAPIv2.proto.
    private static final int SWAGGER = 1;
    private static final int PATHS = 8;
    private static final int PATH = 2;
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int PATCH = 8;
    private static final int PARAMETERS = 8;
    private static final int EXTENSION = 13;
    private static final int PARAMETER = 1;
    private static final int NON_BODY = 2;
    private static final int QUERY = 3;
    private static final int QUERY_IN = 2;
    private static final int QUERY_NAME = 4;
    private static final int ANY_YAML = 2;

    private interface Content {
        void writeTo(CodedOutputStream out) throws IOException;
    }

    private OpenApiProtobuf() {}

    static byte[] document(ResourceCatalog catalog) {
        byte[] paths = message(out -> {
            for (Served served : catalog.types()
                    .flatMap(type -> type.versions().stream().map(version -> new Served(type, version)))
                    .toList()) {
                out.writeByteArray(PATH, path(served));
            }
        });
        return message(out -> {
            out.writeString(SWAGGER, "2.0");
            out.writeByteArray(PATHS, paths);
        });
    }

    private static byte[] path(Served served) {
        String kind = "group: \"%s\"\nkind: %s\nversion: %s\n"
                .formatted(
                        served.type().group(),
                        served.type().names().kind(),
                        served.version().name());
        byte[] extension = message(out -> {
            out.writeString(NAME, OpenApiDocuments.GVK);
            out.writeByteArray(VALUE, message(any -> any.writeString(ANY_YAML, kind)));
        });
        byte[] patch = message(out -> {
            out.writeByteArray(PARAMETERS, dryRun());
            out.writeByteArray(EXTENSION, extension);
        });
        return message(out -> {
            out.writeString(
                    NAME,
                    "/" + served.apiVersion() + "/" + served.type().names().plural() + "/{name}");
            out.writeByteArray(VALUE, message(item -> item.writeByteArray(PATCH, patch)));
        });
    }

    private static byte[] dryRun() {
        byte[] query = message(out -> {
            out.writeString(QUERY_IN, "query");
            out.writeString(QUERY_NAME, "dryRun");
        });
        byte[] nonBody = message(out -> out.writeByteArray(QUERY, query));
        byte[] parameter = message(out -> out.writeByteArray(NON_BODY, nonBody));
        return message(out -> out.writeByteArray(PARAMETER, parameter));
    }

    private static byte[] message(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            content.writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("while writing OpenAPI as protobuf", e);
        }
        return bytes.toByteArray();
    }
}
