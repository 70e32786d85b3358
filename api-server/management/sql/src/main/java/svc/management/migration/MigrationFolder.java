package svc.management.migration;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final Pattern FILE =
            Pattern.compile("(?:.*/)?([0-9]{1," + MigrationRequest.MAX_VERSION_LENGTH + "})(?:_(.*?))?(\\.sql)?");

    /** Of a version that is a time: a name that begins with so many digits is a file's, whatever follows. */
    private static final int DIGITS_OF_A_TIME = 14;

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
        Map<String, String> versions = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            String pointer = POINTER + "/" + i;
            MigrationRequest request = file(Body.required(files.get(i), pointer), pointer);
            String version = request.version().orElseThrow();
            String name = called(files.get(i), i);
            String before = versions.putIfAbsent(version, name);
            if (before != null) {
                throw twice(before, name, version, pointer);
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
        Optional<Matcher> named = Optional.ofNullable(file.name())
                .map(FILE::matcher)
                .filter(Matcher::matches)
                .filter(matcher -> isFile(matcher, file.version()));
        String version = file.version() != null
                ? file.version()
                : named.map(matcher -> matcher.group(1)).orElseThrow(() -> withoutVersion(file, pointer));
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

    /** Beside a version, "3 tables" or "2030" is a name like any other. */
    private static boolean isFile(Matcher name, String version) {
        return version == null
                || name.group(1).equals(version)
                || name.group(1).length() == DIGITS_OF_A_TIME
                || name.group(3) != null;
    }

    /** What the caller knows an element by. */
    private static String called(MigrationFile file, int index) {
        return file.name() == null ? "number " + (index + 1) : file.name();
    }

    private static ProblemException withoutVersion(MigrationFile file, String pointer) {
        String what = file.name() == null
                ? "The field " + pointer + "/version is missing."
                : "The migration " + file.name() + " has no version.";
        return Problem.of(ProblemCode.INVALID_BODY, what)
                .withError(pointer + "/version", "is missing")
                .withHint(
                        "Begin its name with digits and an underscore, which order the folder: 001_create_todos.sql, or"
                                + " 20300131120000_create_todos.sql; or send the field version.")
                .asException();
    }

    private static ProblemException twice(String one, String other, String version, String pointer) {
        return Problem.of(
                        ProblemCode.INVALID_BODY,
                        "The migrations " + one + " and " + other + " have the same version, " + version + ".")
                .withError(pointer + "/version", "is that of " + one)
                .withHint(
                        "A version is applied once: rename one of the two to another number, and send the folder again.")
                .asException();
    }

    private static ProblemException invalid(String pointer, String what) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is invalid: it " + what + ".")
                .withError(pointer, what)
                .asException();
    }
}
