package svc.realtime.channel;

import java.util.Optional;
import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.ChangeFeed;
import svc.realtime.change.DatabaseLogs;
import svc.realtime.policy.ChannelPolicies;

/**
 * What channels work with.
 *
 * @param changes empty in a process that serves no table changes
 * @param logs the same, for messages of databases
 * @param memory of a project, by its ref
 */
public record ChannelServices(
        ProjectBus bus,
        ChannelTokens tokens,
        ChannelPolicies policies,
        Optional<ChangeFeed> changes,
        Optional<DatabaseLogs> logs,
        Function<String, ByteBudget.Account> memory) {}
