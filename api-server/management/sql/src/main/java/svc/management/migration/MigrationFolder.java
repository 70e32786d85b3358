package svc.management.migration;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A validated folder of migrations. Pure.
 *
 * @param files by version
 */
record MigrationFolder(List<MigrationRequest> files, boolean dryRun) {
    /** Each takes a login, a session and rows of its own. */
    static final int MAX_FILES = 500;

    /** What Supabase's command line calls its files, with or without their folder. */
    private static final Pattern FILE = Pattern.compile("(?:.*/)?(\\d{14})(?:_(.*?))?(?:\\.sql)?");

    private static final String POINTER = "/migrations";

    MigrationFolder {
        files = List.copyOf(files);
    }

    /** @throws ProblemException 400 with a pointer to the first invalid field */
    static MigrationFolder of(MigrationBody body) {
        Body.required(body);
        List<MigrationFile> files = Body.required(body.migrations(), POINTER);
        if (body.query() != null
                || body.statements() != null
                || body.name() != null
                || body.version() != null
                || body.rollback() != null) {
            throw invalid(POINTER, "excludes query, statements, name, version and rollback of a single migration");
        }
        if (files.isEmpty() || files.size() > MAX_FILES) {
            throw invalid(POINTER, "must have 1 to " + MAX_FILES + " elements");
        }
        List<MigrationRequest> requests = new ArrayList<>();
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < files.size(); i++) {
            String pointer = POINTER + "/" + i;
            MigrationRequest request = file(Body.required(files.get(i), pointer), pointer);
            if (!versions.add(request.version().orElseThrow())) {
                throw invalid(pointer + "/version", "is that of another element");
            }
            requests.add(request);
        }
        requests.sort(Comparator.comparing(request -> request.version().orElseThrow()));
        return new MigrationFolder(requests, Boolean.TRUE.equals(body.dryRun()));
    }

    /**
     * A folder of one.
     *
     * @throws ProblemException 400 without a version
     */
    static MigrationFolder ofOne(MigrationRequest only) {
        if (only.version().isEmpty()) {
            throw invalid("/version", "is missing");
        }
        return new MigrationFolder(List.of(only), only.dryRun());
    }

    private static MigrationRequest file(MigrationFile file, String pointer) {
        String query = MigrationText.required(file.query(), file.statements(), pointer);
        Optional<Matcher> named =
                Optional.ofNullable(file.name()).map(FILE::matcher).filter(Matcher::matches);
        String version = file.version() != null
                ? file.version()
                : named.map(matcher -> matcher.group(1)).orElse(null);
        if (version == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + "/version is missing.")
                    .withError(pointer + "/version", "is missing")
                    .withHint("Send it, or a name that begins with it: 20300131120000_create_todos.sql.")
                    .asException();
        }
        MigrationRequest.checkedVersion(version, pointer);
        if (named.isPresent() && !named.get().group(1).equals(version)) {
            throw invalid(pointer + "/name", "begins with another version");
        }
        Optional<String> name = named.isPresent()
                ? named.map(matcher -> matcher.group(2)).filter(text -> !text.isEmpty())
                : Optional.ofNullable(file.name());
        try {
            return MigrationRequest.ofFile(query, name, version);
        } catch (ProblemException e) {
            throw invalid(pointer + "/name", e.problem().errors().getFirst().message());
        }
    }

    private static ProblemException invalid(String pointer, String what) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is invalid: it " + what + ".")
                .withError(pointer, what)
                .asException();
    }
}
