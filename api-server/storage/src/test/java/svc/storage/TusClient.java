package svc.storage;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import svc.storage.StorageHttp.Answer;

/** Sends requests of TUS as one caller of one project. */
record TusClient(StorageForTests storage, String ref, String bearer, String prefix) {
    static final String PATH = "/upload/resumable";

    static TusClient of(StorageForTests storage, String ref, String bearer) {
        return new TusClient(storage, ref, bearer, PATH);
    }

    /** The same caller without a key of its own, with the token of a signed URL in each request. */
    static TusClient signed(StorageForTests storage, String ref) {
        return new TusClient(storage, ref, "", PATH + "/sign");
    }

    static String metadata(String... pairs) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.add(pairs[i] + " " + Base64.getEncoder().encodeToString(pairs[i + 1].getBytes(StandardCharsets.UTF_8)));
        }
        return String.join(",", all);
    }

    Answer send(String method, String path, byte[] body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!all.contains("Tus-Resumable")) {
            all.addAll(List.of("Tus-Resumable", "1.0.0"));
        }
        return storage.send(
                ref,
                method,
                path,
                bearer,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body),
                all.toArray(String[]::new));
    }

    /** Begins an upload into the bucket {@code b}. */
    Answer create(String name, long length, String... headers) {
        List<String> all = new ArrayList<>(List.of("Upload-Length", Long.toString(length)));
        all.addAll(List.of(headers));
        if (!all.contains("Upload-Metadata")) {
            all.addAll(List.of("Upload-Metadata", metadata("bucketName", "b", "objectName", name)));
        }
        return send("POST", prefix, null, all.toArray(String[]::new));
    }

    /** The path of an upload that was begun. */
    String begun(String name, long length, String... headers) {
        return path(create(name, length, headers));
    }

    static String path(Answer created) {
        if (created.status() != 201) {
            throw new IllegalStateException("not created: " + created);
        }
        String location = created.header("location");
        return location.substring(location.indexOf(PATH));
    }

    Answer patch(String path, long offset, byte[] bytes, String... headers) {
        List<String> all = new ArrayList<>(
                List.of("Upload-Offset", Long.toString(offset), "Content-Type", "application/offset+octet-stream"));
        all.addAll(List.of(headers));
        return send("PATCH", path, bytes, all.toArray(String[]::new));
    }

    Answer head(String path, String... headers) {
        return send("HEAD", path, null, headers);
    }

    Answer delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    /** Sends what the upload lacks, as a client does that resumes, and gives how much that was at first. */
    long resume(String path, byte[] whole, int chunk) {
        Answer head = head(path);
        if (head.status() != 200) {
            throw new IllegalStateException("not resumable: " + head.status());
        }
        long first = Long.parseLong(head.header("upload-offset"));
        int offset = (int) first;
        while (offset < whole.length) {
            int length = Math.min(chunk, whole.length - offset);
            byte[] bytes = java.util.Arrays.copyOfRange(whole, offset, offset + length);
            Answer sent = patch(path, offset, bytes);
            if (sent.status() != 204) {
                throw new IllegalStateException("not taken at " + offset + ": " + sent);
            }
            offset = Integer.parseInt(sent.header("upload-offset"));
        }
        return first;
    }
}
