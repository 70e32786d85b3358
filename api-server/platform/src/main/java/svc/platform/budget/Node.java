package svc.platform.budget;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private final Deque<WaitingRequest> line = new ArrayDeque<>(0);

    /** Permits that can be taken back, in the order in which their owners last got on. */
    private final Set<Permit> reclaimable = new LinkedHashSet<>();

    private long held;
    private int users;

    private Node(Optional<Node> whole, Account account, long ceiling) {
        this.whole = whole;
        this.account = account;
        this.ceiling = ceiling;
    }

    static Node root(Account account, long total) {
        return new Node(Optional.empty(), account, total);
    }

    /** The part of this account for another one. */
    Node part(Account of) {
        return parts.computeIfAbsent(
                of.name(), name -> new Node(Optional.of(this), of, of.limit().ceiling(ceiling)));
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
            whole.ifPresent(parent -> {
                parent.parts.remove(account.name());
                parent.forget();
            });
        }
    }

    Verdict judge(long more, long permit) {
        Verdict verdict = Verdict.GRANTED;
        for (Node node = this; node.whole.isPresent() && verdict != Verdict.TOO_LARGE; node = node.whole.get()) {
            Node parent = node.whole.get();
            Verdict here =
                    node.account.limit().judge(new Limit.Demand(node.held, more, permit, parent.ceiling, parent.held));
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
        held += change;
        whole.ifPresent(parent -> parent.add(change));
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

    Deque<WaitingRequest> line() {
        return line;
    }

    Set<Permit> reclaimable() {
        return reclaimable;
    }

    /** What the account and those that it is a part of hold, the largest of them first. */
    List<Long> heldFromTheTop() {
        List<Long> path = whole.map(Node::heldFromTheTop).orElseGet(() -> new ArrayList<>(4));
        path.add(held);
        return path;
    }
}
