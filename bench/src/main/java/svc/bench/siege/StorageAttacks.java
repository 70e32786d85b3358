package svc.bench.siege;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import svc.bench.storage.StorageProject;
import svc.e2e.platform.Platform;

/** Requests to the storage service of which a small one used to cost much: products of two sizes, and what is kept for readers. */
final class StorageAttacks {
    private static final int AT_ONCE = 8;
    private static final int SIGNED_NAMES = 15_000;
    private static final int COMBINING_MARKS = 10_000;
    private static final int LISTED_MARKS = 160_000;
    private static final int BOUNDARY = 60_000;
    private static final int CONNECTIONS = 400;
    private static final int FILENAMES = 5_900;
    private static final int READERS = 40;
    private static final int FORMS = 6;
    private static final int FORM_BYTES = 12_000_000;
    private static final int FILE_BYTES = 20_000_000;
    private static final long LEAVE_MILLIS = 300;
    private static final String BIG = "/storage/v1/object/public/open/big";

    private final Attacker attacker;

    private StorageAttacks(Attacker attacker) {
        this.attacker = attacker;
    }

    static StorageAttacks prepare(Platform platform) throws IOException {
        StorageProject storage = StorageProject.create(platform, FILE_BYTES);
        storage.upload("open/big", BodyPublishers.ofByteArray(new byte[FILE_BYTES]));
        return new StorageAttacks(new Attacker(
                platform,
                platform.controlPlane()
                        .get("/projects/" + storage.api().ref())
                        .expect(200)
                        .json()));
    }

    List<Attack> attacks() {
        return List.of(
                new Attack("signatures over 15,000 repeated headers", this::repeatedSignedHeaders),
                new Attack("paths of 10,000 combining marks", this::combiningMarksInPaths),
                new Attack("listings with a prefix of 160,000 combining marks", this::combiningMarksInLists),
                new Attack(CONNECTIONS + " forms with a boundary of 60 KB", this::longBoundaries),
                new Attack("forms with a key of 5,900 file names", this::repeatedFilenames),
                new Attack(READERS + " slow readers of one public file", this::slowReaders),
                new Attack("readers that leave while they wait", this::leavingReaders),
                new Attack(FORMS + " endless forms with the anon key", this::endlessForms),
                new Attack(FORMS + " forms with an endless field", this::endlessFields));
    }

    private AutoCloseable repeatedSignedHeaders() {
        String head = attacker.anonymousHead(
                "GET",
                "/storage/v1/s3/open/x",
                "a: " + "v".repeat(30_000)
                        + "\r\nx-amz-date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential="
                        + attacker.ref() + "/20260101/local/s3/aws4_request,SignedHeaders="
                        + "a;".repeat(SIGNED_NAMES) + "host,Signature=" + "0".repeat(64) + "\r\n");
        return repeatedly(() -> attacker.hold(AT_ONCE, head, 0));
    }

    private AutoCloseable combiningMarksInPaths() {
        String path = "/storage/v1/object/public/open/a" + "%CC%81%CC%96".repeat(COMBINING_MARKS / 2);
        return Attacker.flood(500, AT_ONCE, call -> attacker.request(path).GET());
    }

    private AutoCloseable combiningMarksInLists() {
        String body = "{\"prefix\":\"a" + "\u0301\u0316".repeat(LISTED_MARKS / 2) + "\"}";
        return Attacker.flood(
                100, 4, call -> attacker.request("/storage/v1/object/list/open").POST(BodyPublishers.ofString(body)));
    }

    private AutoCloseable longBoundaries() {
        return attacker.hold(CONNECTIONS, form("b".repeat(BOUNDARY), 1_000_000), 1_000);
    }

    private AutoCloseable repeatedFilenames() {
        String body = field("key", "${filename}".repeat(FILENAMES)) + file("n".repeat(1_000));
        return Attacker.flood(
                200,
                AT_ONCE,
                call -> attacker.request("/storage/v1/s3/open")
                        .setHeader("Content-Type", "multipart/form-data; boundary=b")
                        .POST(BodyPublishers.ofString(body)));
    }

    private AutoCloseable slowReaders() {
        return attacker.hold(READERS, attacker.anonymousHead("GET", BIG, ""), 0);
    }

    private AutoCloseable leavingReaders() {
        String head = attacker.anonymousHead("GET", BIG, "");
        return repeatedly(() -> attacker.hold(READERS, head, 0));
    }

    private AutoCloseable endlessForms() {
        String head = attacker.head(
                "POST",
                "/storage/v1/object/closed-to-all/x",
                "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + FORM_BYTES + "\r\n");
        return attacker.hold(FORMS, head, FORM_BYTES - 100_000);
    }

    private AutoCloseable endlessFields() {
        return attacker.hold(FORMS, form("b", FORM_BYTES) + field("key", "x"), FORM_BYTES / 2);
    }

    private String form(String boundary, int length) {
        return attacker.anonymousHead(
                "POST",
                "/storage/v1/s3/open",
                "Content-Type: multipart/form-data; boundary=" + boundary + "\r\nContent-Length: " + length + "\r\n");
    }

    private static String field(String name, String value) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    private static String file(String name) {
        return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\nx\r\n--b--\r\n";
    }

    /** Begins the attack again and again, and leaves each time after a moment. */
    private static AutoCloseable repeatedly(Attack.Start start) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        thread.execute(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                once(start);
            }
        });
        return thread::shutdownNow;
    }

    private static void once(Attack.Start start) {
        try (AutoCloseable held = start.begin()) {
            Thread.sleep(LEAVE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // Refused: the platform's defence.
        }
    }
}
