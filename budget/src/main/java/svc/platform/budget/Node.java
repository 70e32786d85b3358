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
    private final LinkedHashSet<WaitingRequest> line = new LinkedHashSet<>(0);

    /** Permits that can be taken back, in the order in which their owners last got on. */
    private final Set<Permit> reclaimable = new LinkedHashSet<>();

    /** A limit across owners, against which the account counts too. */
    private final Optional<Node> across;

    private long held;
    private int users;
    private int waiting;

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
        if (users == 0 && held == 0 && parts.isEmpty() && line.isEmpty()) {
            whole.filter(parent -> parent.parts.remove(account.name(), this)).ifPresent(parent -> {
                across.ifPresent(Node::unuse);
                parent.forget();
            });
        }
    }

    Verdict judge(long more, long permit) {
        Verdict verdict = across.map(limit -> limit.judge(more, permit)).orElse(Verdict.GRANTED);
        long holder = held + more;
        for (Node node = this; node.whole.isPresent() && verdict != Verdict.TOO_LARGE; node = node.whole.get()) {
            Node parent = node.whole.get();
            Verdict here = node.account
                    .limit()
                    .judge(new Limit.Demand(node.held, more, permit, holder, parent.ceiling, parent.held));
            if (here != Verdict.GRANTED) {
                verdict = here;
            }
        }
        return verdict;
    }

    boolean overdrawn() {
        return whole.isPresent() && account.limit().overdrawn(held, whole.get().ceiling, whole.get().held);
    }

    void add(long change) {
        add(change, tick());
        across.ifPresent(limit -> limit.add(change));
    }

    private void add(long change, long now) {
        held += change;
        waitsSince = now;
        whole.ifPresent(parent -> parent.add(change, now));
    }

    /** The next number in the order of what happens in the tree. */
    long tick() {
        return whole.map(Node::tick).orElseGet(() -> ++ticks);
    }

    /** Whether the lines of the account and of those that it is a part of have room. */
    boolean mayWait() {
        return waiting < account.line() && whole.map(Node::mayWait).orElse(true);
    }

    void waits(int more, long now) {
        if (waiting == 0) {
            waitsSince = now;
        }
        waiting += more;
        whole.ifPresent(parent -> parent.waits(more, now));
    }

    long held() {
        return held;
    }

    long ceiling() {
        return ceiling;
    }

    int partCount() {
        return parts.size();
    }

    /** In the order of their arrival. */
    LinkedHashSet<WaitingRequest> line() {
        return line;
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
