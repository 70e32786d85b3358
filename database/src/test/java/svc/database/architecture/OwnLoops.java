package svc.database.architecture;

import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Finds classes that repeat work by themselves and whose code leads to the databases of projects: a thread that waits between
 * two turns, or a timer. Such a loop over projects makes each wait for the locks of those before it, and ends with the first
 * error: {@code svc.database.loop} has the runner for it.
 *
 * @param databases names of the types through which projects' databases are reached
 */
public record OwnLoops(Set<String> databases) {
    private static final String RUNNER = "svc.database.loop";
    private static final Set<String> TIMERS = Set.of("scheduleAtFixedRate", "scheduleWithFixedDelay", "setPeriodic");
    private static final Set<String> THREADS = Set.of("ofVirtual", "ofPlatform");
    private static final Set<String> WAITS =
            Set.of("sleep", "await", "awaitNanos", "poll", "parkNanos", "wait", "schedule", "setTimer");

    /** Names of classes; those of nested ones are part of the outermost. */
    public Set<String> in(JavaClasses classes) {
        Map<String, List<JavaClass>> byOutermost = classes.stream()
                .filter(type -> !type.getPackageName().startsWith(RUNNER))
                .collect(groupingBy(OwnLoops::outermost));
        Set<String> found = new TreeSet<>();
        byOutermost.forEach((name, parts) -> {
            if (repeats(parts) && reachesDatabases(parts)) {
                found.add(name);
            }
        });
        return found;
    }

    private static String outermost(JavaClass type) {
        int nested = type.getName().indexOf('$');
        return nested < 0 ? type.getName() : type.getName().substring(0, nested);
    }

    private static boolean repeats(Collection<JavaClass> parts) {
        boolean timer = parts.stream().anyMatch(OwnLoops::hasTimer);
        boolean thread = parts.stream()
                .anyMatch(part -> calls(part, Thread.class, THREADS)
                        || part.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Executors.class)));
        return timer || (thread && parts.stream().anyMatch(OwnLoops::waits));
    }

    private static boolean hasTimer(JavaClass part) {
        return part.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> TIMERS.contains(call.getTarget().getName()))
                || part.getMethods().stream()
                        .anyMatch(method -> method.isAnnotatedWith("io.quarkus.scheduler.Scheduled"));
    }

    /** Waits for some time, of which none of these methods has fewer than one parameter. */
    private static boolean waits(JavaClass part) {
        return part.getMethodCallsFromSelf().stream()
                .anyMatch(call -> WAITS.contains(call.getTarget().getName())
                        && !call.getTarget().getRawParameterTypes().isEmpty()
                        && isOfJava(call));
    }

    private static boolean isOfJava(JavaAccess<?> call) {
        return call.getTargetOwner().getPackageName().startsWith("java.")
                || call.getTargetOwner().isAssignableTo(ScheduledExecutorService.class);
    }

    private static boolean calls(JavaClass part, Class<?> owner, Set<String> methods) {
        return part.getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(owner)
                        && methods.contains(call.getTarget().getName()));
    }

    private boolean reachesDatabases(Collection<JavaClass> parts) {
        Deque<JavaClass> open = new ArrayDeque<>(parts);
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            JavaClass type = open.pop();
            if (databases.contains(type.getName())) {
                return true;
            }
            if (type.getPackageName().startsWith("svc.") && seen.add(type.getName())) {
                type.getDirectDependenciesFromSelf()
                        .forEach(dependency ->
                                open.push(dependency.getTargetClass().getBaseComponentType()));
            }
        }
        return false;
    }
}
