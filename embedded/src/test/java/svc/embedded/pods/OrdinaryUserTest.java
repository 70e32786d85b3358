package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.process.Orphan;

/** A platform that is not root runs functions as itself; the runtime's permissions keep them from what it may read. */
class OrdinaryUserTest extends FunctionsTest {
    @BeforeAll
    static void asAnOrdinaryUser() throws Exception {
        runner.close();
        runner = PodRunner.start(kubernetes, settings(), Confinement.ofOrdinaryUser());
    }

    @Test
    void functionsServeAndReachNeitherFilesNorEachOther() throws Exception {
        deploy("neighbour", "export default () => new Response('fine');");
        Path secret = Files.writeString(folder.resolve("secret"), "of the platform");
        deploy("plain", """
                const attempt = async (how) => { try { return "GOT " + await how(); } catch (error) { return error.name; } };
                export default async () => Response.json([
                  await attempt(() => Deno.readTextFile("%s")),
                  await attempt(() => Deno.readTextFile("/etc/passwd")),
                  await attempt(() => Deno.connect({ transport: "unix", path: "%s" })),
                  await attempt(() => new Deno.Command("/usr/bin/id").output()),
                ]);""".formatted(secret, socket("neighbour")));

        // The first lies in the machine's /tmp, which is not the function's.
        assertThat(call("plain", "/").body())
                .isEqualTo("[\"NotFound\",\"NotCapable\",\"NotCapable\",\"NotCapable\"]");
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
        ProcessHandle process = ProcessHandle.allProcesses()
                .filter(Orphan.runsWith(socket("plain").toString()))
                .findFirst()
                .orElseThrow();
        assertThat(process.info().user())
                .isEqualTo(ProcessHandle.current().info().user());
        assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")))
                .contains("NoNewPrivs:\t1");
    }
}
