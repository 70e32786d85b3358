package svc.images;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * A layer of an image, packed.
 *
 * @param diffId digest of the archive before it was compressed, as the image's configuration lists it
 * @param blob the compressed archive
 */
public record Layer(String createdBy, String diffId, byte[] blob) {
    /** The best compression and the slowest: it runs once per release. */
    private static final int COMPRESSION = 9;

    /** @param epochSeconds the time of everything in it, SOURCE_DATE_EPOCH */
    public static Layer of(String createdBy, FileTree tree, long epochSeconds) throws IOException {
        byte[] archive = archive(tree, epochSeconds);
        var compressed = new ByteArrayOutputStream();
        var parameters = new GzipParameters();
        parameters.setCompressionLevel(COMPRESSION);
        // No host name and no time in the gzip header.
        parameters.setModificationTime(0);
        parameters.setOperatingSystem(255);
        try (OutputStream gzip = new GzipCompressorOutputStream(compressed, parameters)) {
            gzip.write(archive);
        }
        return new Layer(createdBy, Digest.of(archive), compressed.toByteArray());
    }

    static byte[] archive(FileTree tree, long epochSeconds) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            for (Map.Entry<String, FileTree.Entry> at : tree.entries().entrySet()) {
                TarArchiveEntry entry = entry(at.getKey(), at.getValue());
                entry.setModTime(epochSeconds * 1000);
                entry.setIds(0, 0);
                entry.setNames("", "");
                tar.putArchiveEntry(entry);
                if (at.getValue() instanceof FileTree.Entry.File file) {
                    tar.write(file.content());
                }
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static TarArchiveEntry entry(String path, FileTree.Entry what) {
        return switch (what) {
            case FileTree.Entry.Folder folder -> {
                var entry = new TarArchiveEntry(path + "/");
                entry.setMode(folder.mode());
                yield entry;
            }
            case FileTree.Entry.File file -> {
                var entry = new TarArchiveEntry(path);
                entry.setSize(file.content().length);
                entry.setMode(file.mode());
                yield entry;
            }
            case FileTree.Entry.Link link -> {
                var entry = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
                entry.setLinkName(link.target());
                entry.setMode(0777);
                yield entry;
            }
        };
    }
}
