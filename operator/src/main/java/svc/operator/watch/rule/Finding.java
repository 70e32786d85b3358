package svc.operator.watch.rule;

import java.util.Optional;
import java.util.UUID;

/**
 * A process beyond a limit.
 *
 * @param urgent whether it is terminated at once, without a cancellation that it may catch
 * @param counts whether its termination is a strike against the project
 * @param what the first words of a message: what was found
 * @param remedy a sentence with what the owner can do
 */
record Finding(
        Optional<UUID> owner,
        Rule rule,
        ProcessId process,
        boolean urgent,
        boolean counts,
        String what,
        String remedy) {}
