package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.change.ChangeSubscription;

/** A channel that counts rows whose numbers rise with their commits, and remembers where it heard of a loss. */
final class CountedRows implements ChangeReceiver {
    private static final Pattern NUMBER = Pattern.compile("\"record\":\\{\"id\":([0-9]+)");

    private final AtomicInteger begun;
    private final List<String> faults = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private ChangeSubscription subscription;
    private boolean left;
    private boolean refused;

    /** The first row that it must get; 0 before "Subscribed". */
    private int owedFrom;

    private int last;
    private boolean excused;

    /** @param begun the row whose insert began last */
    CountedRows(AtomicInteger begun) {
        this.begun = begun;
    }

    void is(ChangeSubscription opened) {
        subscription = opened;
    }

    void leave() {
        synchronized (this) {
            left = true;
        }
        subscription.close();
    }

    void awaitSubscribed() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::wasSubscribed);
        assertThat(failures()).isEmpty();
    }

    synchronized boolean wasSubscribed() {
        return owedFrom > 0;
    }

    synchronized boolean hasEndedOrReached(int row) {
        return refused || (owedFrom > 0 && Math.max(last, owedFrom - 1) > row);
    }

    /** What should not have happened. */
    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** What it heard of losses. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public synchronized void subscribed() {
        owedFrom = begun.get() + 1;
    }

    @Override
    public synchronized void refused(String message) {
        refused = true;
        if (owedFrom > 0) {
            faults.add("refused after it was subscribed: " + message);
        }
    }

    @Override
    public synchronized void failed(String message) {
        failures.add(message);
        excused = true;
    }

    @Override
    public synchronized void changed(List<Integer> ids, ChangeData data) {
        Matcher found = NUMBER.matcher(data.json().toString(StandardCharsets.UTF_8));
        if (left || !found.find()) {
            return;
        }
        int row = Integer.parseInt(found.group(1));
        if (row <= last) {
            faults.add(row + " after " + last);
        }
        int expected = last == 0 ? owedFrom : Math.max(owedFrom, last + 1);
        if (row > expected && !excused) {
            faults.add("from " + expected + " to " + (row - 1) + " nothing, and no word of it");
        }
        last = row;
        excused = false;
    }
}
