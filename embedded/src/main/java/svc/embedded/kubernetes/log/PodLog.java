package svc.embedded.kubernetes.log;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The last lines of one pod, in memory: as many as fit into a number of lines and of characters. */
public final class PodLog {
    private static final int MAX_LINES = 1_000;
    private static final int MAX_CHARACTERS = 1 << 20;

    private final Deque<Line> lines = new ArrayDeque<>();
    private final List<Reader> followers = new CopyOnWriteArrayList<>();
    private int characters;
    private boolean ended;

    private record Line(Instant time, String text) {
        String shown(LogQuery query) {
            return query.timestamps() ? time + " " + text : text;
        }
    }

    /** A follower of a log. Called while the log is locked: it must not block. */
    public interface Reader {
        void line(String text);

        /** The log has ended. */
        void end();
    }

    /** A reader that follows; closing it ends the calls. */
    public interface Following extends AutoCloseable {
        @Override
        void close();
    }

    public synchronized void append(Instant time, String text) {
        lines.addLast(new Line(time, text));
        characters += text.length();
        while (lines.size() > MAX_LINES || characters > MAX_CHARACTERS && lines.size() > 1) {
            characters -= lines.removeFirst().text().length();
        }
        for (Reader follower : followers) {
            follower.line(text);
        }
    }

    /** The pod is gone: ends the followers and keeps the lines. */
    public synchronized void end() {
        ended = true;
        followers.forEach(Reader::end);
        followers.clear();
    }

    /** The lines that a query asks for, oldest first. */
    public synchronized List<String> read(LogQuery query) {
        List<Line> found = new ArrayList<>(lines);
        query.since().ifPresent(since -> found.removeIf(line -> line.time().isBefore(since)));
        int from = query.tailLines()
                .map(count -> (int) Math.max(0, found.size() - Math.max(0, count)))
                .orElse(0);
        List<String> texts = new ArrayList<>();
        long bytes = 0;
        for (Line line : found.subList(from, found.size())) {
            if (query.limitBytes().isPresent() && bytes >= query.limitBytes().get()) {
                break;
            }
            String text = line.shown(query);
            texts.add(text);
            bytes += text.length() + 1L;
        }
        return texts;
    }

    /** Sends the lines of a query, then every later line, without a gap. */
    public synchronized Following follow(LogQuery query, Reader reader) {
        read(query).forEach(reader::line);
        if (ended) {
            reader.end();
            return () -> {};
        }
        Reader shown = new Reader() {
            @Override
            public void line(String text) {
                reader.line(query.timestamps() ? Instant.now() + " " + text : text);
            }

            @Override
            public void end() {
                reader.end();
            }
        };
        followers.add(shown);
        return () -> followers.remove(shown);
    }
}
