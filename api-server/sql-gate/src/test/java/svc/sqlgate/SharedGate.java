package svc.sqlgate;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import svc.database.name.ProjectNames;
import svc.platform.process.SandboxHome;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.ParserTimes;
import svc.sqlgate.parser.SqlReader;

/** A gate with one pool of parsers for all test classes of a JVM: each pool starts processes of its own. */
public final class SharedGate {
    /** A busy machine gives the processes little of its time: no verdict may hang on that. */
    private static final ParserTimes PATIENT = new ParserTimes(
            ParserLimits.defaults().times().work(),
            Duration.ofSeconds(40),
            Duration.ofSeconds(40),
            Duration.ofSeconds(40));

    private static final ParserPool POOL = new ParserPool(
            () -> SandboxHome.find(Optional.empty()), ParserLimits.defaults().withTimes(PATIENT));

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(POOL::close));
    }

    /** The project that scripts without any other are judged for. */
    static final ProjectNames PROJECT = ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));

    private SharedGate() {}

    public static ScriptGate gate() {
        return new ScriptGate(reader());
    }

    static Verdict judge(String sql) {
        return gate().judge(sql, PROJECT);
    }

    /** The verdict on a script that must not pass. */
    static Verdict.Rejected rejection(String sql) {
        return (Verdict.Rejected) judge(sql);
    }

    public static SqlReader reader() {
        return new SqlReader(POOL);
    }
}
