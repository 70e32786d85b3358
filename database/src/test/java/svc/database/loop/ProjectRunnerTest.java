package svc.database.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.loop.ProjectLoop.Progress;

/** Promise: what one project waits for, or fails of, delays no other project's background work. */
@Timeout(60)
class ProjectRunnerTest {
    private static final RunnerSettings SETTINGS =
            RunnerSettings.of(2, 2, Duration.ofMillis(40)).withFirstDelay(Duration.ofMillis(10));

    private final ProjectRunner runner = new ProjectRunner("test", SETTINGS);
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private final Map<String, Work> special = new ConcurrentHashMap<>();
    private final ProjectLoop loop = new ProjectLoop() {
        @Override
        public String name() {
            return "work";
        }

        @Override
        public Progress run(String project) throws Exception {
            runs.add(project);
            Work work = special.get(project);
            return work == null ? Progress.DONE : work.run();
        }
    };

    @FunctionalInterface
    private interface Work {
        Progress run() throws Exception;
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private void done(String project) throws Exception {
        runner.submit(loop, project).get();
    }

    @Test
    void projectsThatWaitForTheirLocksLeaveTheirPlacesToOthers() throws Exception {
        var held = new CountDownLatch(1);
        Work waits = () -> {
            held.await();
            return Progress.DONE;
        };
        special.putAll(Map.of("held-1", waits, "held-2", waits));
        CompletableFuture<Void> first = runner.submit(loop, "held-1");
        CompletableFuture<Void> second = runner.submit(loop, "held-2");

        for (int i = 0; i < 20; i++) {
            done("neighbour-" + i);
        }

        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        held.countDown();
        CompletableFuture.allOf(first, second).get();
    }

    @Test
    void aProjectThatFailsComesBackBehindTheOthers() throws Exception {
        var fails = new AtomicInteger(3);
        special.put("broken", () -> {
            if (fails.getAndDecrement() > 0) {
                throw new IllegalStateException("its own error");
            }
            return Progress.DONE;
        });
        CompletableFuture<Void> failing = runner.submit(loop, "broken");
        assertThatThrownBy(failing::get).isInstanceOf(ExecutionException.class).hasMessageContaining("its own error");
        for (int i = 0; i < 10; i++) {
            done("neighbour-" + i);
        }
        while (fails.get() >= 0) {
            runner.submit(loop, "broken").exceptionally(failed -> null).get();
        }
        assertThat(runs).filteredOn("broken"::equals).hasSize(4);
        assertThat(runs).filteredOn(project -> !project.equals("broken")).hasSize(10);
    }

    @Test
    void anErrorThatIsNoExceptionEndsNothing() throws Exception {
        special.put("deep", () -> {
            throw new StackOverflowError();
        });
        assertThatThrownBy(() -> done("deep")).hasCauseInstanceOf(StackOverflowError.class);
        special.remove("deep");
        done("deep");
        done("neighbour");
    }

    @Test
    void workThatComesDuringARunGetsARunThatBeginsLater() throws Exception {
        var begun = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        special.put("a", () -> {
            begun.countDown();
            held.await();
            return Progress.DONE;
        });
        CompletableFuture<Void> first = runner.submit(loop, "a");
        begun.await();
        CompletableFuture<Void> second = runner.submit(loop, "a");
        CompletableFuture<Void> third = runner.submit(loop, "a");
        assertThat(second).isNotSameAs(first).isSameAs(third);
        held.countDown();
        second.get();
        first.get();
        assertThat(runs).containsExactly("a", "a");
    }

    @Test
    void aProjectWithMuchToDoTakesTurnsWithOthers() throws Exception {
        var left = new AtomicInteger(50);
        special.put("much", () -> {
            if (left.get() == 40) {
                runner.due(loop, "neighbour");
            }
            return left.decrementAndGet() > 0 ? Progress.MORE : Progress.DONE;
        });
        runner.due(loop, "much");
        while (left.get() > 0) {
            Thread.onSpinWait();
        }
        done("neighbour");
        assertThat(runs).filteredOn("much"::equals).hasSize(50);
        assertThat(runs.indexOf("neighbour")).isBetween(10, 45);
    }

    @Test
    void aProjectIsNeverRunTwiceAtOnce() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        Work counted = () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.sleep(1);
            now.decrementAndGet();
            return Progress.DONE;
        };
        special.put("one", counted);
        var other = new ProjectLoop() {
            @Override
            public String name() {
                return "other work";
            }

            @Override
            public Progress run(String project) throws Exception {
                return counted.run();
            }
        };
        for (int i = 0; i < 20; i++) {
            CompletableFuture.allOf(runner.submit(loop, "one"), runner.submit(other, "one"))
                    .get();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void aCallerThatWaitedForAnOutcomeMayAskForTheNextRun() throws Exception {
        CompletableFuture<Void> both = runner.submit(loop, "a").thenRun(() -> {
            try {
                done("a");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        both.get();
        assertThat(runs).containsExactly("a", "a");
    }

    @Test
    void closingEndsWhatRunsAndWhatWaits() throws Exception {
        var begun = new CountDownLatch(1);
        special.put("held", () -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return Progress.DONE;
        });
        CompletableFuture<Void> runs = runner.submit(loop, "held");
        begun.await();
        CompletableFuture<Void> waits = runner.submit(loop, "held");
        runner.close();
        for (CompletableFuture<Void> outcome : List.of(runs, waits, runner.submit(loop, "later"))) {
            assertThatThrownBy(outcome::get).hasCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void whatFindsProjectsIsRepeatedWhateverHappens() throws Exception {
        var times = new CountDownLatch(5);
        runner.repeat("search", Duration.ofMillis(1), () -> {
            times.countDown();
            throw new IllegalStateException("of a tenant");
        });
        times.await();
    }

    @Test
    void delaysGrowToTheirLimitAndNeverAllEndTogether() {
        RandomGenerator random = RandomGenerator.of("Random");
        RunnerSettings settings = RunnerSettings.of(1, 1, Duration.ofSeconds(10));
        assertThat(settings.delay(1, random)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(settings.delay(2, random)).isBetween(Duration.ofMillis(500), Duration.ofMillis(1000));
        assertThat(settings.delay(1000, random)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
}
