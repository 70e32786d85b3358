package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class SourcePathTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void theFormsThatToolsSend() {
        assertThat(SourcePath.clean("././util.ts", "f").path()).hasValue("util.ts");
        assertThat(SourcePath.clean("supabase/functions/f/index.ts", "f").path())
                .hasValue("index.ts");
        assertThat(SourcePath.clean("../_shared/x.ts", "f").path()).hasValue("_shared/x.ts");
        assertThat(SourcePath.clean("../f/util.ts", "f").path()).hasValue("util.ts");
        assertThat(SourcePath.clean("../x.ts", "f").path()).hasValue("../x.ts");
        assertThat(SourcePath.clean("../lib/x.ts", "f").path()).hasValue("../lib/x.ts");
        assertThat(SourcePath.clean("supabase/functions/lib/x.ts", "f").path()).hasValue("../lib/x.ts");
    }

    @Test
    void noPathLeavesTheFolderOfAllFunctions() {
        for (String outside : new String[] {
            "../",
            "..",
            "../..",
            "../../x.ts",
            "../lib/../../x.ts",
            "lib/../x.ts",
            "supabase/functions/../x.ts",
            "../../../etc/x"
        }) {
            assertThat(SourcePath.clean(outside, "f").path()).as(outside).isEmpty();
        }
    }

    /** Names of a request's files are as long as its body. */
    @Test
    void aNameOfManyDotsIsReadOnce() {
        String written = "./".repeat(50_000) + "util.ts";
        long before = THREADS.getCurrentThreadAllocatedBytes();

        assertThat(SourcePath.clean(written, "f").path()).hasValue("util.ts");

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000_000);
    }
}
