package svc.platform.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a folder, says which, and waits to be killed. */
final class FolderProgram {
    private FolderProgram() {}

    /** @param arguments where, and of which kind */
    public static void main(String[] arguments) throws IOException {
        ProcessFolder folder = ProcessFolder.create(Path.of(arguments[0]), arguments[1]);
        Files.createDirectories(folder.path().resolve("cache/deep"));
        Files.writeString(folder.path().resolve("cache/deep/file"), "x");
        System.out.println(folder.path());
        System.out.flush();
        System.in.read();
    }
}
