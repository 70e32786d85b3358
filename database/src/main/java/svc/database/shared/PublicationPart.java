package svc.database.shared;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One of the sixteen parts of a shared database's published tables, by the last digit of their project's id. A stream of the log
 * leaves out projects by leaving out the publication of their part.
 *
 * @param digit hexadecimal, 0 to 15
 */
public record PublicationPart(int digit) {
    private static final int COUNT = 16;

    /** That of a project. */
    public static PublicationPart of(UUID project) {
        return new PublicationPart((int) (project.getLeastSignificantBits() & 0xF));
    }

    public static Set<PublicationPart> all() {
        return IntStream.range(0, COUNT).mapToObj(PublicationPart::new).collect(Collectors.toUnmodifiableSet());
    }

    /** The name of its publication. */
    public String publication() {
        return "svc_realtime_part_" + Integer.toHexString(digit);
    }
}
