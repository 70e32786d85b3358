package svc.platform.budget;

import java.util.List;
import java.util.Optional;

/** The accounts of a budget, and their state while they have any. The state is guarded by the budget's lock. */
final class AccountTree {
    private final Account whole;
    private final Account classes;
    private final Node root;
    private final Node rootOfClasses;

    AccountTree(Budget budget, BudgetSettings settings) {
        this.whole =
                new Account(budget, Optional.empty(), budget.kind(), new Account.Terms(Limit.NONE, settings.line()));
        this.classes = new Account(budget, Optional.empty(), "", new Account.Terms(Limit.NONE, Integer.MAX_VALUE));
        this.root = Node.root(whole, settings.total());
        this.rootOfClasses = Node.root(classes, Long.MAX_VALUE);
    }

    Account whole() {
        return whole;
    }

    Account across(String name, long max) {
        return classes.part(name, new Limit.Fixed(max));
    }

    Node root() {
        return root;
    }

    /** Of the accounts of owners, and of the limits across them. */
    List<Node> roots() {
        return List.of(root, rootOfClasses);
    }

    /** The account's state, made if there is none. */
    Node node(Account account) {
        return account.whole()
                .map(parent -> node(parent).part(account, account.across().map(this::node)))
                .orElse(account == whole ? root : rootOfClasses);
    }

    /** The account's state; empty for one that holds nothing and waits for nothing. */
    Optional<Node> known(Account account) {
        return account.whole().isEmpty()
                ? Optional.of(account == whole ? root : rootOfClasses)
                : account.whole().flatMap(this::known).flatMap(parent -> parent.find(account));
    }
}
