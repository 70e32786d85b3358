package svc.storage.s3.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.platform.memory.ByteBudget;
import svc.storage.http.StorageError;
import svc.storage.s3.xml.S3Error;

/** What comes before the file of a form is a stranger's: it is bounded, whatever it is made of. */
class PostFormTest {
    private static final String TYPE = "multipart/form-data; boundary=x";
    private static final String FIELD = "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";

    private static ByteBudget.Permit memory() {
        return new ByteBudget(1 << 20).account("one").open();
    }

    /** A body that goes on, until so much was read that no bound holds. */
    private static final class Endless extends InputStream {
        private static final long FAR_TOO_MUCH = 16 << 20;

        private final byte[] head;
        private final byte[] again;
        private long at;

        Endless(String head, String again) {
            this.head = head.getBytes(StandardCharsets.UTF_8);
            this.again = again.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int read() {
            long now = at++;
            if (now > FAR_TOO_MUCH) {
                throw new AssertionError("the form is read without end");
            }
            return now < head.length ? head[(int) now] : again[(int) ((now - head.length) % again.length)];
        }
    }

    static List<Endless> endless() {
        return List.of(
                new Endless(FIELD.formatted("a", "").strip() + "\r\n\r\n", "0123456789abcdef"),
                new Endless("", FIELD.formatted("", "")),
                new Endless("", FIELD.formatted("a", "")),
                new Endless("", "no boundary\r\n"),
                new Endless(
                        "", FIELD.formatted("a", "").replace("\r\n\r\n", "\r\nX: " + "y".repeat(7_000) + "\r\n\r\n")));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void aFormWhoseFileNeverComesIsRefusedAfterItsLimit(Endless body) {
        assertThatThrownBy(() -> PostForm.read(body, TYPE, memory()))
                .isInstanceOfSatisfying(
                        S3Error.class, refused -> assertThat(refused.code()).isEqualTo("MaxMessageLengthExceeded"));
        assertThat(body.at).isLessThan(256 << 10);
    }

    @Test
    void theFileIsNotBoundedByTheLimitOfTheFields() throws Exception {
        byte[] file = new byte[1 << 20];
        var body = new java.io.ByteArrayOutputStream();
        body.writeBytes((FIELD.formatted("key", "k")
                        + "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        body.writeBytes(file);
        body.writeBytes("\r\n--x--\r\n".getBytes(StandardCharsets.UTF_8));
        PostForm form = PostForm.read(new ByteArrayInputStream(body.toByteArray()), TYPE, memory());
        assertThat(form.file().readAllBytes()).isEqualTo(file);
    }

    @Test
    void aBoundaryHasAtMostSeventyCharacters() {
        String form = FIELD.formatted("a", "b");
        assertThatThrownBy(() -> PostForm.read(
                        new ByteArrayInputStream(
                                form.replace("--x", "--" + "x".repeat(71)).getBytes(StandardCharsets.UTF_8)),
                        "multipart/form-data; boundary=" + "x".repeat(71),
                        memory()))
                .hasMessageContaining("boundary")
                .hasMessageContaining("70");
    }

    @Test
    void fieldsAreChargedAsTheyArrive() {
        var budget = new ByteBudget(1 << 20);
        ByteBudget.Permit permit = budget.account("one").open();
        String form = FIELD.formatted("a", "b".repeat(10_000)) + FIELD.formatted("c", "");
        assertThatThrownBy(() -> PostForm.read(
                        new ByteArrayInputStream((form + "--x--\r\n").getBytes(StandardCharsets.UTF_8)), TYPE, permit))
                .hasMessageContaining("exactly one file");
        assertThat(budget.held()).isBetween(10_000L, 40_000L);
    }

    @Test
    void aKeyIsMeasuredBeforeItIsBuilt() {
        Map<String, String> fields = new HashMap<>(Map.of("key", "a/${filename}/${filename}"));
        InputStream none = InputStream.nullInputStream();
        assertThat(new PostForm(fields, "f.txt", none).key()).isEqualTo("a/f.txt/f.txt");
        assertThat(new PostForm(fields, "", none).key()).isEqualTo("a//");
        fields.put("key", "${filename}".repeat(5_900));
        var form = new PostForm(fields, "f".repeat(8_000), none);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(form::key).isInstanceOf(StorageError.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }
}
