package svc.graphql.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.graphql.document.Documents;

/** Parsed documents are kept by project, and counted by their trees rather than their characters. */
class DocumentCacheTest {
    private static final int BYTES = 4_000_000;

    private static String document(int number, int fields) {
        return "query q" + number + " {" + " a".repeat(fields) + " }";
    }

    @Test
    void aProjectDoesNotDriveOutTheDocumentsOfOthers() {
        var documents = new Documents(BYTES);
        documents.parse("quiet", "{ a }");
        for (int i = 0; i < 400; i++) {
            documents.parse("loud", document(i, 100));
        }
        assertThat(documents.getIfPresent("quiet", "{ a }")).isPresent();
        assertThat(documents.getIfPresent("loud", document(399, 100))).isPresent();
        assertThat(documents.getIfPresent("loud", document(0, 100))).isEmpty();
        assertThat(documents.getIfPresent("loud", "{ a }")).isEmpty();
    }

    @Test
    void theTreeOfADocumentCounts() {
        var documents = new Documents(BYTES);
        long dense = documents.parse("p", document(1, 4_000)).bytes();
        long sparse =
                documents.parse("p", "{ a(b: \"" + "x".repeat(8_000) + "\") }").bytes();
        assertThat(dense).isGreaterThan(10 * sparse);
    }
}
