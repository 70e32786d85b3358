package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.RealtimeSpec;
import svc.platform.realtime.ActivityScript;
import svc.platform.realtime.RealtimeActivity;
import svc.platform.tenancy.Tenant;
import svc.realtime.channel.RealtimeProjects.Refusal;

/** What is open in all processes counts towards a project's limits, and is what the Management API shows. */
class ActivityTest {
    private final RealtimeForTests realtime = new RealtimeForTests();

    @AfterEach
    void stop() {
        realtime.close();
    }

    private void exchange() {
        realtime.first.projects.exchange(realtime.first.activities);
        realtime.second.projects.exchange(realtime.second.activities);
    }

    private RealtimeActivity seen(Tenant tenant) {
        Request request = Request.cmd(Command.EVAL);
        ActivityScript.read(tenant.projectId()).forEach(request::arg);
        return ActivityScript.sum(
                Redis.createClient(realtime.vertx(), realtime.redis().url())
                        .send(request)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join());
    }

    @Test
    void socketsOfAllProcessesCountTogether() {
        Tenant tenant =
                realtime.project("actv2345", spec -> new RealtimeSpec(true, false, 2, 100, 500, 500, 256, 50, 10));
        Tenant neighbour = realtime.project("actn2345");
        realtime.first.connect("actv2345", "2.0.0");
        realtime.second.connect("actv2345", "2.0.0");
        realtime.first.connect("actn2345", "2.0.0");
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            exchange();
            assertThat(realtime.first.projects.refusal(tenant)).contains(Refusal.TOO_MANY);
            assertThat(realtime.second.projects.refusal(tenant)).contains(Refusal.TOO_MANY);
        });
        assertThat(realtime.second.projects.refusal(neighbour)).isEmpty();
    }

    @Test
    void whatIsOpenIsSummedUntilItIsClosed() {
        Tenant tenant = realtime.project("acts2345", RealtimeForTests::generous);
        RawClient client = realtime.first.connect("acts2345", "2.0.0");
        client.join("a", new JsonObject(), "1");
        client.join("b", new JsonObject(), "2");
        realtime.second.connect("acts2345", "2.0.0");
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            exchange();
            RealtimeActivity all = seen(tenant);
            assertThat(all.processes()).isEqualTo(2);
            assertThat(all.connections()).isEqualTo(2);
            assertThat(all.channels()).isEqualTo(2);
        });
        realtime.closeClients();
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            exchange();
            assertThat(seen(tenant)).isEqualTo(RealtimeActivity.NONE);
        });
    }
}
