package svc.images;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;

/** A processor architecture of the images, by the names that each origin of their parts has for it. */
enum Architecture {
    AMD64("linux-x64-glibc", "x86_64", 62),
    ARM64("linux-arm64-glibc", "aarch64", 183);

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final int MACHINE_AT = 18;
    private static final int BYTE = 0xff;

    private final String deno;
    private final String machine;
    private final int elfMachine;

    Architecture(String deno, String machine, int elfMachine) {
        this.deno = deno;
        this.machine = machine;
        this.elfMachine = elfMachine;
    }

    /** @throws IllegalArgumentException for a name that is none of {@code amd64} and {@code arm64} */
    static Architecture of(String label) {
        return Arrays.stream(values())
                .filter(architecture -> architecture.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no architecture of the images is called " + label + ": there are amd64 and arm64"));
    }

    /** That of this Java machine. @throws IllegalArgumentException when there are no images for it */
    static Architecture ofThisMachine() {
        String name = System.getProperty("os.arch");
        return of(name.equals(ARM64.machine) ? ARM64.label() : name);
    }

    /** As image indexes (OCI) and Debian call it. */
    String label() {
        return switch (this) {
            case AMD64 -> "amd64";
            case ARM64 -> "arm64";
        };
    }

    /** The package of Deno for it, on npm in the scope {@code @deno}. */
    String deno() {
        return deno;
    }

    /** As wheels of Python name it. */
    String machine() {
        return machine;
    }

    /** @throws IOException when a program or library of the tree is for another architecture */
    void check(FileTree tree) throws IOException {
        for (Map.Entry<String, FileTree.Entry> at : tree.entries().entrySet()) {
            if (at.getValue() instanceof FileTree.Entry.File file) {
                OptionalInt found = elfMachine(file.content());
                if (found.isPresent() && found.getAsInt() != elfMachine) {
                    throw new IOException(at.getKey() + " is not for " + label() + ": its ELF machine is "
                            + found.getAsInt() + ", not " + elfMachine);
                }
            }
        }
    }

    /** The field {@code e_machine} of an ELF file, whose integers are little-endian on both architectures. */
    static OptionalInt elfMachine(byte[] content) {
        if (content.length < MACHINE_AT + 2 || !Arrays.equals(content, 0, ELF.length, ELF, 0, ELF.length)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(content[MACHINE_AT] & BYTE | (content[MACHINE_AT + 1] & BYTE) << Byte.SIZE);
    }
}
