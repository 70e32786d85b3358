package svc.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.e2e.platform.Platform;
import svc.e2e.running.CommandLine;
import svc.e2e.running.SharedPlatform;
import svc.e2e.running.Terminal;
import svc.e2e.running.Terminal.Session;
import svc.e2e.running.Terminal.Steps;

/** The command line in a terminal, as a person uses it: questions, keys, a narrow window, a shell that completes. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ESCAPE = "\u001b";
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";

    private Platform platform;
    private CommandLine line;
    private Terminal terminal;

    @BeforeAll
    void signIn(Platform platform, @TempDir Path folder) throws Exception {
        this.platform = platform;
        this.line = new CommandLine(folder, Map.of("XDG_CONFIG_HOME", folder + "/config"));
        this.terminal = new Terminal(line, 80);
        Session signedIn = login(new Steps()
                .see("Personal access token for")
                .hidden()
                .type(platform.connection().token() + "\r")
                .see("Signed in to"));
        assertThat(signedIn.code()).as(signedIn.shown()).isZero();
        assertThat(signedIn.restored()).isTrue();
        assertThat(signedIn.shown())
                .doesNotContain(platform.connection().token())
                .doesNotContain(ESCAPE);
    }

    private Session login(Steps steps) throws Exception {
        return terminal.svc(steps, "login", "--api-url", platform.connection().baseUrl());
    }

    private JsonNode project(String name) throws Exception {
        return line.svc("projects", "create", name, "--json").json();
    }

    @Test
    void aTokenCanBeEditedWithoutBeingShown() throws Exception {
        // A wrong beginning that Ctrl-U removes, arrows and Delete, and two characters too many.
        Session session = login(new Steps()
                .see("token for")
                .hidden()
                .type("svc_pat_wrong\u0015" + ESCAPE + "[D" + ESCAPE + "[3~" + ESCAPE + "OA"
                        + platform.connection().token() + "xx\u007f\b\r"));
        assertThat(session.code()).as(session.shown()).isZero();
        assertThat(session.shown())
                .contains("Signed in")
                .doesNotContain("wrong")
                .doesNotContain(platform.connection().token());
    }

    @Test
    void anInterruptedQuestionLeavesTheTerminalAsItWas() throws Exception {
        Session session = login(new Steps().see("token for").hidden().type("svc_pat_half" + CTRL_C));
        assertThat(session.code()).as(session.shown()).isEqualTo(130);
        assertThat(session.restored()).isTrue();
        assertThat(session.shown()).doesNotContain("half").endsWith("\r\n");
    }

    @ParameterizedTest
    @CsvSource({"another word, 6", "Ctrl-D, 6", "Ctrl-C, 130"})
    void aDeletionThatIsNotConfirmedDeletesNothing(String what, int code) throws Exception {
        String typed = switch (what) {
            case "Ctrl-C" -> CTRL_C;
            case "Ctrl-D" -> CTRL_D;
            default -> what + "\r";
        };
        String ref = project("kept").get("ref").asText();
        Session session =
                terminal.svc(new Steps().see("Type " + ref + " to continue: ").type(typed), "projects", "delete", ref);
        assertThat(session.code()).as(session.shown()).isEqualTo(code);
        assertThat(session.restored()).isTrue();
        assertThat(session.shown()).endsWith("\r\n").doesNotContain(ESCAPE).doesNotContain("Unexpected");
        assertThat(line.svc("projects", "get", ref, "--json")
                        .json()
                        .get("status")
                        .asText())
                .isEqualTo("ACTIVE_HEALTHY");
    }

    @Test
    void aDeletionIsConfirmedByTheNameOfWhatIsLost() throws Exception {
        String ref = project("lost").get("ref").asText();
        Session session = terminal.svc(new Steps().see("to continue: ").type(ref + "\r"), "projects", "delete", ref);
        assertThat(session.code()).as(session.shown()).isZero();
        assertThat(session.shown()).contains("is being deleted");
    }

    @Test
    void aCommandThatFollowsIsInterrupted() throws Exception {
        String ref = project("followed").get("ref").asText();
        line.svc("db", "query", "create table followed (id int)", "--project-ref", ref)
                .expect(0);
        Session session =
                terminal.svc(new Steps().see("postgres").type(CTRL_C), "logs", "--follow", "--project-ref", ref);
        assertThat(session.code()).as(session.shown()).isEqualTo(130);
        assertThat(session.restored()).isTrue();
        assertThat(session.shown()).endsWith("\r\n");
    }

    @Test
    void aTableThatANarrowWindowWouldBreakIsALineForEachValue() throws Exception {
        String ref = project("narrow").get("ref").asText();
        // Rows of this project alone: projects of other tests have names of any length.
        String[] rows = {"db", "query", "select 'Ann' as name, 'a short text' as word, 12345678 as number"};
        Session wide = new Terminal(line, 120).svc(new Steps(), with(rows, ref));
        assertThat(wide.code()).as(wide.shown()).isZero();
        assertThat(wide.shown()).contains("name  word          number\r\n----  ------------  --------\r\n");
        Session narrow = new Terminal(line, 24).svc(new Steps(), with(rows, ref));
        assertThat(narrow.code()).as(narrow.shown()).isZero();
        assertThat(narrow.shown().split("\r\n")).allMatch(text -> text.length() <= 24);
        assertThat(narrow.shown()).contains("name    Ann\r\nword    a short text\r\nnumber  12345678\r\n");
        Session help = new Terminal(line, 40).svc(new Steps(), "--help");
        assertThat(help.shown().split("\r\n"))
                .as("a word that does not fit stays whole")
                .allMatch(text -> text.length() <= 40 || text.matches(" {24}\\S+"));
        assertThat(line.svc(with(rows, ref)).expect(0).out())
                .as("to a file, at any width")
                .contains("name  word          number");
    }

    private static String[] with(String[] words, String ref) {
        return Stream.concat(Stream.of(words), Stream.of("--project-ref", ref)).toArray(String[]::new);
    }

    @Test
    void progressIsForATerminalAndJsonForPrograms() throws Exception {
        String ref = project("progress").get("ref").asText();
        Files.writeString(line.folder().resolve("note.txt"), "a note");
        line.svc(
                        "db",
                        "query",
                        "insert into storage.buckets (id, name) values ('notes', 'notes')",
                        "--project-ref",
                        ref)
                .expect(0);
        assertThat(line.svc("storage", "cp", "note.txt", "ss:///notes/first.txt", "--project-ref", ref)
                        .expect(0)
                        .err())
                .isEmpty();
        Session shown =
                terminal.svc(new Steps(), "storage", "cp", "note.txt", "ss:///notes/second.txt", "--project-ref", ref);
        assertThat(shown.code()).as(shown.shown()).isZero();
        assertThat(shown.shown()).contains("note.txt ...");
        Session json = terminal.svc(new Steps(), "projects", "list", "--json");
        assertThat(json.shown()).doesNotContain(ESCAPE);
        assertThat(JSON.readTree(json.shown()).isArray()).isTrue();
        Session failed = terminal.svc(new Steps(), "projects", "get", "nothere1", "--json");
        assertThat(failed.code()).isEqualTo(4);
        assertThat(failed.shown()).doesNotContain(ESCAPE);
        assertThat(JSON.readTree(failed.shown()).at("/error/exit_code").asInt()).isEqualTo(4);
    }

    @Test
    void bashCompletesAsOneTypes() throws Exception {
        Path programs = Files.createDirectory(line.folder().resolve("programs"));
        Files.writeString(line.folder().resolve("query.sql"), "select 1");
        Path program = Files.writeString(
                programs.resolve("svc"), "#!/bin/sh\nexec " + String.join(" ", line.words()) + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> variables = new HashMap<>(line.environment());
        variables.put("PATH", programs + ":" + System.getenv("PATH"));
        variables.put("PS1", "> ");
        // The shell of a user stays as it is, and the user's keys do not change this one.
        variables.put("HISTFILE", "");
        variables.put("INPUTRC", "/dev/null");
        var shell = new Terminal(new CommandLine(line.folder(), variables), 80);
        Session session = shell.run(
                new Steps()
                        .see("> ")
                        .type("source <(svc completion bash)\r")
                        .see("\n")
                        .see("> ")
                        .type("svc func\tsec\tun\t")
                        .see("svc functions secrets unset ")
                        // Ctrl-U; then an option before the command.
                        .type("\u0015svc --json db pu\t--dry\t")
                        .see("svc --json db push --dry-run ")
                        .type("\u0015svc db query -f qu\t")
                        .see("svc db query -f query.sql ")
                        .type("\u0015exit\r"),
                List.of("bash", "--norc", "--noprofile", "-i"));
        assertThat(session.code()).as(session.shown()).isZero();
    }
}
