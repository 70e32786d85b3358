package svc.bench.siege;

/**
 * One attack of {@link SiegeSuite}.
 *
 * @param name in the report
 * @param start sends everything, from threads of its own; closing the result ends what the attacker holds
 */
record Attack(String name, Start start) {
    @FunctionalInterface
    interface Start {
        AutoCloseable begin() throws Exception;
    }
}
