package svc.graphql.document;

import graphql.language.Definition;
import graphql.language.Document;
import java.util.IdentityHashMap;
import java.util.Map;

/** A document with the sizes of its definitions. Immutable. */
public final class ParsedDocument {
    /** A node with its name and its lists, measured on a 64-bit JVM. */
    private static final int BYTES_PER_NODE = 120;

    private static final int BYTES_PER_CHARACTER = 4;
    private static final int OVERHEAD = 1_000;

    private final Document document;
    private final Map<Definition<?>, DefinitionSize> sizes = new IdentityHashMap<>();
    private final long bytes;

    /** @param characters of its text */
    ParsedDocument(Document document, int characters) {
        this.document = document;
        long nodes = 0;
        for (Definition<?> definition : document.getDefinitions()) {
            DefinitionSize size = DefinitionSize.of(definition);
            sizes.put(definition, size);
            nodes += size.nodes();
        }
        this.bytes = OVERHEAD + nodes * BYTES_PER_NODE + (long) characters * BYTES_PER_CHARACTER;
    }

    Document document() {
        return document;
    }

    DefinitionSize size(Definition<?> definition) {
        return sizes.get(definition);
    }

    /** Heap that it takes, estimated. */
    public long bytes() {
        return bytes;
    }
}
