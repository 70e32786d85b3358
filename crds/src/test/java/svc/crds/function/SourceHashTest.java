package svc.crds.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SourceHashTest {

    @Test
    void isTheHashOfCanonicalJson() throws Exception {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("b.ts", "2");
        files.put("_shared/a.ts", "\"é");
        String canonical =
                "{\"files\":{\"_shared/a.ts\":\"\\\"é\",\"b.ts\":\"2\"},\"importMap\":null,\"source\":\"x\\n\"}";
        byte[] expected = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
        assertThat(SourceHash.of("x\n", files, null))
                .isEqualTo("sha256:" + HexFormat.of().formatHex(expected));
    }

    @Test
    void everyPartCounts() {
        String plain = SourceHash.of("x", Map.of(), null);
        assertThat(plain)
                .isEqualTo(SourceHash.of("x", Map.of(), null))
                .isNotEqualTo(SourceHash.of("y", Map.of(), null))
                .isNotEqualTo(SourceHash.of("x", Map.of("a.ts", ""), null))
                .isNotEqualTo(SourceHash.of("x", Map.of(), "a.json"));
    }
}
