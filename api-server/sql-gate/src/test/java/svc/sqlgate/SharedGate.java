package svc.sqlgate;

import java.util.Optional;
import svc.platform.process.SandboxHome;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.SqlReader;

/** A gate with one pool of parsers for all test classes of a JVM: each pool starts processes of its own. */
public final class SharedGate {
    private static final ParserPool POOL =
            new ParserPool(() -> SandboxHome.find(Optional.empty()), ParserLimits.defaults());

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(POOL::close));
    }

    private SharedGate() {}

    public static ScriptGate gate() {
        return new ScriptGate(reader());
    }

    static SqlReader reader() {
        return new SqlReader(POOL);
    }
}
