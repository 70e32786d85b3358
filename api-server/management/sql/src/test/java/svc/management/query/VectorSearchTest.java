package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Similarity search as applications write it, where the server has the extension vector. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class VectorSearchTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "vector");
        assumeThat(project.owner().ask("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"))
                .isEqualTo("1");
    }

    private Http.Answer run(String query, String sql) {
        return api.send(
                "POST",
                project.path() + query,
                JSON.createObjectNode().put("query", sql).toString());
    }

    @Test
    void documentsAreFoundByTheirEmbeddings() {
        Http.Answer made = run("", """
                create extension if not exists vector with schema extensions;
                create table public.documents (
                  id bigint generated always as identity primary key, content text, embedding vector(3));
                create index on public.documents using hnsw (embedding vector_cosine_ops);
                create index on public.documents using ivfflat (embedding vector_l2_ops) with (lists = 1);
                create function public.match_documents(query_embedding vector(3), match_threshold float, match_count int)
                returns table (id bigint, content text, similarity float) language sql stable as $$
                  select d.id, d.content, 1 - (d.embedding <=> query_embedding)
                  from public.documents d where 1 - (d.embedding <=> query_embedding) > match_threshold
                  order by d.embedding <=> query_embedding limit match_count
                $$;
                insert into public.documents (content, embedding)
                values ('x', '[1,0,0]'), ('y', '[0,1,0]'), ('xy', array[1, 1, 0]::vector), ('z', '[0,0,1]');""");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        Http.Answer found = run("?as=anon", """
                set local hnsw.ef_search = 100;
                select content, round(similarity::numeric, 2) as s from match_documents('[1,0.1,0]', 0.5, 5)""");
        assertThat(found.text())
                .as(found.toString())
                .isEqualTo("[{\"content\":\"x\",\"s\":1.00},{\"content\":\"xy\",\"s\":0.77}]");
        assertThat(run("", "select avg(embedding)::text as a, vector_dims(avg(embedding)) as n from documents")
                        .text())
                .isEqualTo("[{\"a\":\"[0.5,0.5,0.25]\",\"n\":3}]");
        assertThat(run("", "select embedding, embedding::halfvec(3) as h from documents where id = 1")
                        .text())
                .isEqualTo("[{\"embedding\":\"[1,0,0]\",\"h\":\"[1,0,0]\"}]");
    }
}
