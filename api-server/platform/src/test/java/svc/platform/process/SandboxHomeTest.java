package svc.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxHomeTest {
    /** The images have the runtime of their architecture alone, at the place that npm gives it. */
    @Test
    void theRuntimeIsThatOfTheMachinesArchitecture() {
        assertThat(SandboxHome.runtime("amd64")).isEqualTo(Path.of("node_modules/@deno/linux-x64-glibc/deno"));
        assertThat(SandboxHome.runtime("aarch64")).isEqualTo(Path.of("node_modules/@deno/linux-arm64-glibc/deno"));
    }
}
