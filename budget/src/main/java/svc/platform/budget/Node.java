package svc.platform.budget;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An account's state, kept while it holds something or a request waits in its line. Guarded by the lock of its budget. */
final class Node {
    private final Optional<Node> whole;
    private final Account account;
    private final long ceiling;
    private final Map<String, Node> parts = new HashMap<>(4);
    private final WaitingParts waitingParts = new WaitingParts();
    private final PartTimes times = new PartTimes();
    private final LinkedHashSet<WaitingRequest> line = new LinkedHashSet<>(0);

    /** Permits that can be taken back, in the order in which their owners last got on. */
    private final Set<Permit> reclaimable = new LinkedHashSet<>(0);

    /** A limit across owners, against which the account counts too. */
    private final Optional<Node> across;

    private long held;
    private int users;
    private int waiting;

    /** See {@link PartTimes}. */
    private long used;

    /** The tick since which requests of the account and its parts wait for the next turn. */
    private long waitsSince;

    /** Ticks of a root: arrivals and changes of what is held. */
    private long ticks;

    private Node(Optional<Node> whole, Account account, long ceiling, Optional<Node> across) {
        this.whole = whole;
        this.account = account;
        this.ceiling = ceiling;
        this.across = across;
    }

    static Node root(Account account, long total) {
        return new Node(Optional.empty(), account, total, Optional.empty());
    }

    /** The part of this account for another one. */
    Node part(Account of, Optional<Node> limit) {
        return parts.computeIfAbsent(of.name(), name -> {
            limit.ifPresent(Node::use);
            waitingParts.mayInclude(of.limit());
            return new Node(Optional.of(this), of, of.limit().ceiling(ceiling), limit);
        });
    }

    Optional<Node> find(Account of) {
        return Optional.ofNullable(parts.get(of.name()));
    }

    /** Something refers to this account: it must not be forgotten. */
    void use() {
        users++;
    }

    /** Forgets accounts that nothing refers to any more. */
    void unuse() {
        users--;
        forget();
    }

    void forget() {
        if (users > 0 || held != 0 || !parts.isEmpty() || !line.isEmpty() || whole.isEmpty()) {
            return;
        }
        Node parent = whole.get();
        if (parent.waiting > 0 && parent.times.remembers(this)) {
            return;
        }
        if (parent.parts.remove(account.name(), this)) {
            across.ifPresent(Node::unuse);
            parent.forget();
        }
    }

    Verdict judge(long more, long permit) {
        Verdict verdict = across.map(limit -> limit.judge(more, permit)).orElse(Verdict.GRANTED);
        long holder = held + more;
        for (Node node = this; node.whole.isPresent() && verdict != Verdict.TOO_LARGE; node = node.whole.get()) {
            Verdict here = node.judgeHere(more, permit, holder);
            if (here != Verdict.GRANTED) {
                verdict = here;
            }
        }
        return verdict;
    }

    private Verdict judgeHere(long more, long permit, long holder) {
        Node parent = whole.orElseThrow();
        return account.limit().judge(new Limit.Demand(held, more, permit, holder, parent.ceiling, parent.held));
    }

    /** False when no request of the account or its parts for so much or more is granted now. */
    boolean mayTake(long least) {
        return judgeHere(least, least, least) == Verdict.GRANTED;
    }

    boolean overdrawn() {
        return whole.isPresent() && account.limit().overdrawn(held, whole.get().ceiling, whole.get().held);
    }

    void add(long change) {
        add(change, tick());
        across.ifPresent(limit -> limit.add(change));
    }

    private void add(long change, long now) {
        ranked(() -> {
            held += change;
            waitsSince = now;
        });
        whole.ifPresent(parent -> parent.add(change, now));
    }

    /** Changes what the account's place among the waiting parts of its whole depends on. */
    private void ranked(Runnable change) {
        Optional<WaitingParts> siblings = whole.map(parent -> parent.waitingParts);
        siblings.ifPresent(all -> all.remove(this));
        change.run();
        siblings.ifPresent(all -> all.add(this));
    }

    /** The account and those that it is a part of begin to use what they hold. */
    void beginTurn() {
        whole.ifPresent(parent -> {
            use(parent.times.begin(used));
            parent.times.removeEven().forEach(Node::forget);
            parent.beginTurn();
        });
    }

    /** The account and those that it is a part of have held something for so long. */
    void endTurn(long nanos) {
        if (nanos > 0 && whole.isPresent()) {
            use(used + nanos);
            whole.get().endTurn(nanos);
        }
    }

    private void use(long nanos) {
        if (nanos != used) {
            whole.ifPresent(parent -> parent.times.recall(this));
            ranked(() -> used = nanos);
        }
    }

    /** The next number in the order of what happens in the tree. */
    long tick() {
        return whole.map(Node::tick).orElseGet(() -> ++ticks);
    }

    /** Whether the lines of the account and of those that it is a part of have room. */
    boolean mayWait() {
        return waiting < account.line() && whole.map(Node::mayWait).orElse(true);
    }

    /** One more request waits, in the line of this account. */
    void join(WaitingRequest request) {
        line.add(request);
        waits(across, 1, request.order());
    }

    /** False when the request is not in the line. */
    boolean leave(WaitingRequest request) {
        boolean here = line.remove(request);
        if (here) {
            waits(across, -1, request.order());
        }
        return here;
    }

    private void waits(Optional<Node> limit, int more, long now) {
        if (waiting == 0 && held == 0) {
            use(whole.map(parent -> parent.times.since(used)).orElse(0L));
        }
        ranked(() -> {
            if (waiting == 0) {
                waitsSince = now;
            }
            waiting += more;
            waitingParts.count(limit, more);
        });
        if (waiting == 0) {
            times.removeAll().forEach(Node::forget);
        }
        whole.ifPresent(parent -> parent.waits(limit, more, now));
    }

    long held() {
        return held;
    }

    long used() {
        return used;
    }

    long ceiling() {
        return ceiling;
    }

    int partCount() {
        return parts.size();
    }

    String name() {
        return account.name();
    }

    WaitingParts waitingParts() {
        return waitingParts;
    }

    /** In the order of their arrival. */
    LinkedHashSet<WaitingRequest> line() {
        return line;
    }

    /** The first request in line, if it counts against this limit across owners, or against none. */
    Optional<WaitingRequest> first(Optional<Node> limit) {
        return line.isEmpty() || !across.equals(limit) ? Optional.empty() : Optional.of(line.getFirst());
    }

    Set<Permit> reclaimable() {
        return reclaimable;
    }

    /** The tick since which requests of the account and its parts wait for the next turn. */
    long waitsSince() {
        return waitsSince;
    }

    /** The accounts that this one is a part of, the largest of them first, and this one. */
    List<Node> path() {
        List<Node> path = whole.map(Node::path).orElseGet(() -> new ArrayList<>(4));
        path.add(this);
        return path;
    }
}
