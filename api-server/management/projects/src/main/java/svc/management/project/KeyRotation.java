package svc.management.project;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The next version of some of a project's keys.
 *
 * @param previousUntil until when the previous version is accepted; passwords have no overlap, because PostgreSQL
 *     stores one
 */
record KeyRotation(Set<Kind> kinds, Instant previousUntil) {
    private static final Duration USUAL_OVERLAP = Duration.ofDays(1);
    private static final Duration MAX_OVERLAP = Duration.ofDays(30);
    private static final Set<Kind> USUAL = EnumSet.of(Kind.ANON, Kind.SERVICE, Kind.SIGNING);

    enum Kind {
        ANON,
        SERVICE,
        SIGNING,
        DATABASE
    }

    /** @throws ProblemException 400 with a pointer to an invalid value */
    static KeyRotation of(ProjectBodies.Rotate body, Instant now) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        List<String> named = body == null || body.keys() == null ? List.of() : body.keys();
        for (int i = 0; i < named.size(); i++) {
            kinds.add(kind(named.get(i), i));
        }
        long overlap =
                body == null || body.overlapSeconds() == null ? USUAL_OVERLAP.toSeconds() : body.overlapSeconds();
        if (overlap < 0 || overlap > MAX_OVERLAP.toSeconds()) {
            String rule = "must be between 0 and " + MAX_OVERLAP.toSeconds();
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /overlap_seconds " + rule + ".")
                    .withError("/overlap_seconds", rule)
                    .asException();
        }
        return new KeyRotation(
                kinds.isEmpty() ? USUAL : kinds, now.plusSeconds(overlap).truncatedTo(ChronoUnit.SECONDS));
    }

    private static Kind kind(String name, int index) {
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                return kind;
            }
        }
        throw Problem.of(ProblemCode.INVALID_BODY, "Valid keys are anon, service, signing and database.")
                .withError("/keys/" + index, "unknown key")
                .asException();
    }

    /** In words, for the audit. */
    String what() {
        return kinds.stream()
                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining(", ", "rotate keys: ", ""));
    }

    KeysSpec apply(KeysSpec keys) {
        return new KeysSpec(
                next(Kind.ANON, keys.anon()),
                next(Kind.SERVICE, keys.service()),
                next(Kind.SIGNING, keys.signing()),
                next(Kind.DATABASE, keys.database()));
    }

    private KeyVersion next(Kind kind, KeyVersion version) {
        if (!kinds.contains(kind)) {
            return version;
        }
        return new KeyVersion(version.version() + 1, kind == Kind.DATABASE ? null : previousUntil);
    }
}
