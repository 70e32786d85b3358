package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.project.ProjectPlan;
import svc.database.shared.HardeningReport;
import svc.database.shared.SharedDatabaseHardening;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.script.TestingOwner;
import svc.server.management.query.attack.Attack.Act;
import svc.server.management.query.attack.Attack.Step;
import svc.testing.Http;

/**
 * Runs attacks and judges them by their effects: the responses, the changes, what the attacker holds, what the operator
 * must repair, and the audit.
 */
final class Battlefield implements AutoCloseable {
    /**
     * How many attacks are judged together by what is left of them. What they were answered is judged one by one; whatever
     * one of them changes or holds is still there when the last of them is over.
     */
    private static final int TOGETHER = 8;

    /** Scripts of one project that run at a time; it may have one more. */
    private static final int SIDE_BY_SIDE = 3;

    private final KubernetesClient client;
    private final TenantDirectory tenants;
    private final PlatformDatabase platform;
    private final Superuser superuser = new Superuser();

    /** Its visits change their session. */
    private final Superuser operator = new Superuser();

    private final Neighbour neighbour;
    private final Map<String, Attacker> attackers = new HashMap<>();
    private final String table;
    private final String function;

    /** In the folder of the server's data, which the server may write. */
    private final String forbiddenFile;

    private Optional<Seen> last = Optional.empty();

    /** Attacks that got past the gate since the last judgement. */
    private final List<Attack> unjudged = new ArrayList<>();

    private final Map<Attacker, Long> calls = new HashMap<>();

    /** Whether a step of the attack at hand got past the gate. */
    private boolean reached;

    /** What was there at the last judgement. */
    private record Seen(Attacker attacker, Untouched state) {}

    Battlefield(KubernetesClient client, TenantDirectory tenants, PlatformDatabase platform) {
        this.client = client;
        this.tenants = tenants;
        this.platform = platform;
        this.neighbour = Neighbour.settle(client, tenants);
        this.table = ask("SELECT '$N.secrets'::regclass::oid");
        this.function = ask("SELECT '$N.secret_body'::regproc::oid");
        this.forbiddenFile = ask("SELECT current_setting('data_directory')") + "/written-by-an-attack";
    }

    Neighbour neighbour() {
        return neighbour;
    }

    /** The attacking project of a family. */
    Attacker attacker(String family) {
        if (!attackers.containsKey(family)) {
            // Its schemas are a change of what lies outside of the others'.
            checkWhatIsPending();
            attackers.put(family, Attacker.enter(client, tenants, family));
        }
        return attackers.get(family);
    }

    List<Attacker> attackers() {
        return List.copyOf(attackers.values());
    }

    /** Carries an attack out and checks everything that it must not have done, at once or with those that follow it. */
    void endure(Attack attack) {
        Attacker attacker = attacker(attack.family());
        if (last.filter(seen -> seen.attacker().equals(attacker)).isEmpty()) {
            checkWhatIsPending();
            last = Optional.of(new Seen(attacker, untouched(attacker)));
        }
        if (attack.isRepaired()) {
            // What the operator finds afterwards is to be this attack's alone.
            judge();
        }
        long before = calls.computeIfAbsent(attacker, this::calls);
        List<String> responses = new ArrayList<>();
        reached = false;
        try {
            for (Step step : attack.steps()) {
                responses.addAll(take(step, attacker, placeholders(attacker)));
            }
        } catch (AssertionError e) {
            last = Optional.empty();
            unjudged.clear();
            calls.clear();
            throw e;
        }
        assertThat(responses).as("what the attacker received").noneMatch(text -> text.contains(neighbour.canary()));
        // A body in which no text is found is no call that ran, or was to run, anything.
        long texts = attack.texts();
        long now = calls(attacker);
        calls.put(attacker, now);
        assertThat(now - before).as("calls in the audit").isBetween(texts, texts + attack.steps(Act.BODY));
        if (reached || attack.isRepaired()) {
            // What by its own account the gate let through. The state of those that it did not let through is proved by
            // the next who is judged, because it is compared with the one before them.
            unjudged.add(attack);
        }
        if (attack.isRepaired() || unjudged.size() == TOGETHER) {
            judge();
        }
    }

    /**
     * Carries a family of attacks out. Those that only wait to be cut wait side by side; each is judged by its answer, and
     * all of them together by what is left.
     */
    Stream<DynamicTest> endureAll(List<Attack> family) {
        Map<Boolean, List<Attack>> attacks = family.stream().collect(Collectors.partitioningBy(Attack::onlyWaits));
        List<Attack> waiting = attacks.get(true);
        Attacker attacker = attacker(family.getFirst().family());
        checkWhatIsPending();
        last = Optional.of(new Seen(attacker, untouched(attacker)));
        long before = calls(attacker);
        ExecutorService people = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        List<DynamicTest> tests = new ArrayList<>();
        for (Attack attack : waiting) {
            Step step = attack.steps().getFirst();
            String text = placeholders(attacker).fill(step.text());
            Future<Http.Answer> answer = people.submit(() -> attacker.briefly(text));
            tests.add(dynamicTest(attack.name(), () -> {
                Expectation.of(step.argument()).check(answer.get(), text);
                assertThat(answer.get().toString()).doesNotContain(neighbour.canary());
            }));
        }
        people.shutdown();
        tests.add(dynamicTest("nothing is left of these", () -> {
            assertThat(calls(attacker) - before).as("calls in the audit").isEqualTo(waiting.size());
            calls.remove(attacker);
            unjudged.addAll(waiting);
            judge();
        }));
        attacks.get(false).forEach(attack -> tests.add(dynamicTest(attack.name(), () -> endure(attack))));
        return tests.stream();
    }

    /** Compares what is there with what was there at the last judgement. */
    void checkWhatIsPending() {
        judge();
        Optional<Seen> pending = last;
        last = Optional.empty();
        pending.ifPresent(seen -> untouched(seen.attacker()).checkAgainst(seen.state()));
    }

    /** Judges what got past the gate by what is left of it. */
    private void judge() {
        if (unjudged.isEmpty()) {
            return;
        }
        List<Attack> judged = List.copyOf(unjudged);
        Seen before = last.orElseThrow();
        unjudged.clear();
        last = Optional.empty();
        try {
            boolean repaired = judged.stream().anyMatch(Attack::isRepaired);
            last = Optional.of(new Seen(before.attacker(), stateAfter(repaired, before)));
        } catch (AssertionError e) {
            throw new AssertionError("after one of these attacks: " + judged + "\n" + e.getMessage(), e);
        }
    }

    private Untouched stateAfter(boolean repaired, Seen before) {
        nothingIsLeftOf(before.attacker());
        ProjectPlan plan = reconcile(before.attacker());
        if (repaired) {
            assertThat(plan.steps()).as("what the operator repairs").isNotEmpty();
        } else {
            assertThat(plan.stepNames()).as("what the operator has to repair").isEmpty();
        }
        assertThat(plan.irreparable()).isEmpty();
        Untouched after = untouched(before.attacker());
        after.checkAgainst(before.state());
        return after;
    }

    /** No session and no lock of the attacker's, and no secret in its tables. */
    void nothingIsLeftOf(Attacker attacker) {
        Remains.check(attacker, neighbour, superuser);
    }

    private Placeholders placeholders(Attacker attacker) {
        return new Placeholders(Map.of(
                "$S", attacker.schema(), "$N", neighbour.schema(), "$T", table, "$P", function, "$F", forbiddenFile));
    }

    /** @return what the attacker received for the step: bodies and headers */
    private List<String> take(Step step, Attacker attacker, Placeholders placeholders) {
        String argument = placeholders.fill(step.argument());
        String text = placeholders.fill(step.text());
        reached = reached || !step.act().isSentToTheGate();
        switch (step.act()) {
            case SETUP -> {
                return heard(attacker.sql(text), Expectation.of("ok"), step);
            }
            case RUN -> {
                // What is to be cut may be cut soon; all others have the usual time.
                Http.Answer answer = argument.equals("sql_timeout") ? attacker.briefly(text) : attacker.sql(text);
                return heard(answer, Expectation.of(argument), step);
            }
            case BODY -> {
                return heard(attacker.body(placeholders.bytes(step.text())), Expectation.of(argument), step);
            }
            case READ -> {
                return heard(attacker.reads(text), Expectation.of(argument), step);
            }
            case ALL -> {
                return heard(attacker.everything(text), Expectation.of(argument), step);
            }
            case CALLER -> {
                return heard(attacker.asCaller(text), Expectation.of(argument), step);
            }
            case ANON -> {
                return rest(Purpose.ANON_KEY, attacker, argument, text);
            }
            case SERVICE -> {
                return rest(Purpose.SERVICE_KEY, attacker, argument, text);
            }
            case API ->
                assertThat(attacker.login(DatabaseRole.API, text)).as(text).isEqualTo(argument);
            case SYSTEM ->
                assertThat(attacker.login(DatabaseRole.SYSTEM, text)).as(text).isEqualTo(argument);
            case OPERATOR -> assertThat(Attacker.maintain(text)).as(text).isEqualTo(argument);
            case HOLDS -> assertThat(ask(text)).as(text).isEqualTo(argument);
            case REPAIRED -> assertThat(text).isEmpty();
        }
        return List.of();
    }

    private List<String> heard(Http.Answer answer, Expectation expectation, Step step) {
        String text = step.text();
        expectation.check(answer, text.length() > 500 ? text.substring(0, 500) + "…" : text);
        reached = reached || !Expectation.stoppedBeforeItRan(answer);
        return List.of(answer.toString());
    }

    /** @param request method, path, the status expected, and a word that the body must hold */
    private static List<String> rest(Purpose key, Attacker attacker, String request, String body) {
        String[] parts = request.split(" ");
        Http.Answer answer = attacker.rest(key, parts[0], parts[1], body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(Integer.parseInt(parts[2]));
        if (parts.length > 3) {
            assertThat(answer.text()).contains(parts[3]);
        }
        return List.of(answer.toString());
    }

    /** The first value of a query of the superuser. */
    String ask(String sql) {
        return superuser.ask(sql.replace("$N", neighbour.schema()));
    }

    Untouched untouched(Attacker attacker) {
        try {
            return Untouched.read(superuser.connection(), attacker.schema(), neighbour.schema(), forbiddenFile);
        } catch (SQLException e) {
            throw new IllegalStateException("while looking what is touched", e);
        }
    }

    ProjectPlan reconcile(Attacker attacker) {
        try {
            return new OperatorVisit(
                            operator.connection(), attacker.project().owner().names())
                    .reconcile();
        } catch (SQLException e) {
            throw new AssertionError("the operator cannot reconcile any more", e);
        }
    }

    /** @return what an operator who hardens the database again has to change */
    List<HardeningReport.Change> hardenAgain() {
        try (Connection operator = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            return new SharedDatabaseHardening()
                    .apply(operator, Neighbour.settings())
                    .changes();
        } catch (SQLException e) {
            throw new AssertionError("the database cannot be hardened any more", e);
        }
    }

    void remove(Attacker attacker) {
        try (Connection operator = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            new OperatorVisit(operator, attacker.project().owner().names()).remove();
        } catch (SQLException e) {
            throw new AssertionError("the attacker cannot be removed any more", e);
        }
    }

    private long calls(Attacker attacker) {
        return platform.query(
                        SqlFragment.of("SELECT count(*) AS calls FROM svc_platform.sql_call WHERE ref = ?"),
                        row -> Long.parseLong(row.text("calls")),
                        attacker.project().ref())
                .getFirst();
    }

    @Override
    public void close() {
        superuser.close();
        operator.close();
    }
}
