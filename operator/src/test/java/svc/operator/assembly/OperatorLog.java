package svc.operator.assembly;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;

/** The lines that the packaged operator logs while this is open. */
final class OperatorLog extends Handler implements AutoCloseable {
    private static final Logger OPERATOR = Logger.getLogger("svc.operator");

    private final Queue<Line> lines = new ConcurrentLinkedQueue<>();

    private record Line(String project, String text) {}

    OperatorLog() {
        OPERATOR.addHandler(this);
    }

    /** @param project namespace/name, from the log context */
    List<String> of(String project) {
        return lines.stream()
                .filter(line -> project.equals(line.project()))
                .map(Line::text)
                .toList();
    }

    @Override
    public void publish(LogRecord logged) {
        ExtLogRecord line = ExtLogRecord.wrap(logged);
        lines.add(new Line(line.getMdc("project"), line.getFormattedMessage()));
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        OPERATOR.removeHandler(this);
    }
}
