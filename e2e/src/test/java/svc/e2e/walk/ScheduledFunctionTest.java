package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** A migration as Supabase documents it: a job calls a function of the project with the service key, and a webhook tells it of rows. */
@ExtendWith(SharedPlatform.class)
class ScheduledFunctionTest {
    private static final String ECHO = """
            Deno.serve(async (request: Request) =>
              Response.json({ key: request.headers.get("authorization"), body: await request.json() }));
            """;

    @Test
    void aJobAndAWebhookCallAFunctionOfTheProject(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("scheduled");
        String ref = project.get("ref").asText();
        String key = project.get("anon_key").asText();
        platform.controlPlane()
                .post("/projects/" + ref + "/functions/deploy", Map.of("name", "tick", "source", ECHO))
                .expect(201);
        String url = platform.connection().pathUrl(ref) + "/functions/v1/tick";
        String migration = """
                create extension if not exists pg_cron;
                create extension if not exists pg_net with schema extensions;
                create table public.orders (id int primary key, note text);
                create trigger "orders" after insert on "public"."orders" for each row
                  execute function "supabase_functions"."http_request"(
                    '$URL', 'POST', '{"Content-type":"application/json","Authorization":"Bearer $KEY"}', '{}', '5000');
                select cron.schedule('tick', '2 seconds', $$
                  select net.http_post(
                    url := '$URL',
                    headers := jsonb_build_object('Authorization', 'Bearer $KEY'),
                    body := '{"from": "job"}'::jsonb) as request_id
                $$);
                insert into public.orders values (1, 'hello');
                """.replace("$URL", url).replace("$KEY", key);
        platform.controlPlane()
                .post("/projects/" + ref + "/database/migrations", Map.of("name", "schedule", "query", migration))
                .expect(200);

        awaitAnswer(
                platform,
                ref,
                "select status_code, content, error_msg from net._http_response",
                List.of("{\\\"from\\\":\\\"job\\\"}", "Bearer " + key, "\\\"note\\\":\\\"hello\\\""));
        // The end of a run is written after what the run did.
        awaitAnswer(
                platform,
                ref,
                "select distinct status, return_message from cron.job_run_details",
                List.of("succeeded", "1 row"));
        query(platform, ref, "select cron.unschedule('tick')");
        assertThat(query(platform, ref, "select jobid from cron.job")).isEqualTo("[]");
        assertThat(query(platform, ref, "select extname from pg_extension where extname in ('pg_cron', 'pg_net')"))
                .contains("pg_cron", "pg_net");
    }

    private static void awaitAnswer(Platform platform, String ref, String sql, List<String> expected) throws Exception {
        long end = System.nanoTime() + SharedPlatform.MAX_WAIT.toNanos();
        String answer = query(platform, ref, sql);
        while (!containsAll(answer, expected)) {
            assertThat(System.nanoTime()).as(answer).isLessThan(end);
            // The endpoint has a limit per minute.
            Thread.sleep(2500);
            answer = query(platform, ref, sql);
        }
    }

    private static boolean containsAll(String text, List<String> expected) {
        return expected.stream().allMatch(text::contains);
    }

    private static String query(Platform platform, String ref, String sql) throws Exception {
        return platform.controlPlane()
                .post("/projects/" + ref + "/database/query", Map.of("query", sql))
                .expect(201)
                .json()
                .toString();
    }
}
