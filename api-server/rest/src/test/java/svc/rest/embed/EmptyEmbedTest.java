package svc.rest.embed;

import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** Resources of which nothing is selected filter, and are not shown. */
class EmptyEmbedTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @Test
    void aResourceOfEmptyResourcesIsNotShown() {
        FIXTURE.ask("GET /users?select=name,users_tasks(tasks())&order=id")
                .answers("[{\"name\":\"Angela\"},{\"name\":\"Michael\"},{\"name\":\"Dwight\"}]");
        FIXTURE.ask("GET /clients?select=id,projects(tasks(),...detail())&id=eq.1")
                .answers("[{\"id\":1}]");
        FIXTURE.ask("GET /clients?select=id,projects(id,tasks())&id=eq.2&projects.order=id")
                .answers("[{\"id\":2,\"projects\":[{\"id\": 3}, {\"id\": 4}]}]");
    }

    @Test
    void itStillFilters() {
        FIXTURE.ask("GET /users?select=name,users_tasks!inner(tasks!inner())&users_tasks.tasks.id=eq.5&order=id")
                .answers("[{\"name\":\"Michael\"},{\"name\":\"Dwight\"}]");
    }
}
