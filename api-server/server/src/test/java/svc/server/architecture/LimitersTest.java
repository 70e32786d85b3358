package svc.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Promise: what callers share is divided by a budget ({@code svc.platform.budget}), which knows organisations and projects,
 * lets those that wait take turns, and ends permits with their owner. A semaphore serves the one that asks most.
 */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class LimitersTest {
    /** Classes with a semaphore or counts of their own, and why these are no budget. */
    private static final Map<String, String> OTHERS = Map.of(
            "svc.extensions.net.RequestWorker",
                    "turns for a connection: each answer has a place and bytes of a budget, and none is refused here",
            "svc.graphql.cache.SharedCache", "an entry that has no room is given up: none is refused, and none waits",
            "svc.management.postgres.CopyRows",
                    "one client's own rows, which it alone waits for; a budget has their bytes",
            "svc.management.postgres.SignIn", "failures end with time, and are not returned",
            "svc.realtime.channel.ProjectChannels", "members of rooms, which limit nothing",
            "svc.realtime.sidecar.SidecarTunnels", "times, which limit nothing",
            "svc.server.connection.OpenConnections", "a connection exists before it is counted; an idle one gives way",
            "svc.sqlgate.lexical.JSqlParserCrossCheck", "a text that finds no place is not checked a second time",
            "svc.storage.image.ImageRenderer", "refusals that are remembered, and end with time",
            "svc.storage.object.Quota", "bytes in the project's own store");

    private static final Set<Class<?>> COUNTERS =
            Set.of(AtomicInteger.class, AtomicLong.class, LongAdder.class, Semaphore.class);
    private static final Set<Class<?>> NUMBERS = Set.of(Integer.class, Long.class);
    private static final Set<String> RETURNING = Set.of("compute", "computeIfPresent");

    @ArchTest
    static final ArchRule LIMITERS_ARE_BUDGETS = fields().that()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackage("svc.platform.budget..")
            .should(new ArchCondition<>("be no limiter of their own") {
                @Override
                public void check(JavaField field, ConditionEvents events) {
                    boolean known = OTHERS.containsKey(field.getOwner().getName());
                    boolean limiter = field.getRawType().isEquivalentTo(Semaphore.class) || countsOwners(field);
                    events.add(new SimpleConditionEvent(
                            field, known || !limiter, field.getFullName() + " limits what owners share: use a Budget"));
                }
            });

    /** A class that is no more has no reason. */
    @ArchTest
    static void everyReasonIsOfAClass(JavaClasses all) {
        assertThat(OTHERS.keySet()).allMatch(name -> all.contain(name));
    }

    /** A map of counters, or of numbers that come down again. */
    private static boolean countsOwners(JavaField field) {
        boolean map = field.getRawType().isAssignableTo(Map.class)
                || field.getRawType().isAssignableTo(Cache.class);
        if (!map || !(field.getType() instanceof JavaParameterizedType type)) {
            return false;
        }
        var value = type.getActualTypeArguments().getLast().toErasure();
        return COUNTERS.stream().anyMatch(value::isEquivalentTo)
                || (NUMBERS.stream().anyMatch(value::isEquivalentTo)
                        && field.getOwner().getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isAssignableTo(Map.class)
                                        && RETURNING.contains(call.getName())));
    }
}
