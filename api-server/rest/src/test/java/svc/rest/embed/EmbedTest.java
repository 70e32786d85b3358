package svc.rest.embed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Resources within rows: to-one, to-many, many-to-many, one-to-one, nested, with filters of their own. */
class EmbedTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=*,clients(*)&order=id&limit=2 | [{"id":1,"name":"Windows 7","client_id":1,"budget":10.50,"clients":{"id": 1, "name": "Microsoft", "note": null}},{"id":2,"name":"Windows 10","client_id":1,"budget":20,"clients":{"id": 1, "name": "Microsoft", "note": null}}]
            projects?select=id,clients(name)&order=id | [{"id":1,"clients":{"name": "Microsoft"}},{"id":2,"clients":{"name": "Microsoft"}},{"id":3,"clients":{"name": "Apple"}},{"id":4,"clients":{"name": "Apple"}},{"id":5,"clients":null}]
            projects?select=clients(name),id&order=id&limit=1 | [{"id":1,"clients":{"name": "Microsoft"}}]
            projects?select=id,client:clients(name,note)&order=id&limit=1 | [{"id":1,"client":{"name": "Microsoft", "note": null}}]
            projects?select=id,client_id(name)&order=id&limit=1 | [{"id":1,"client_id":{"name": "Microsoft"}}]
            projects?select=id,projects_client_id_fkey(name)&order=id&limit=1 | [{"id":1,"projects_client_id_fkey":{"name": "Microsoft"}}]
            projects?select=id,c:clients!client_id(name)&order=id&limit=1 | [{"id":1,"c":{"name": "Microsoft"}}]
            projects?select=id,c:clients!projects_client_id_fkey(name)&order=id&limit=1 | [{"id":1,"c":{"name": "Microsoft"}}]
            projects?select=id,clients!inner(name)&order=id | [{"id":1,"clients":{"name": "Microsoft"}},{"id":2,"clients":{"name": "Microsoft"}},{"id":3,"clients":{"name": "Apple"}},{"id":4,"clients":{"name": "Apple"}}]
            clients?select=id,projects(id)&order=id | [{"id":1,"projects":[{"id": 1}, {"id": 2}]},{"id":2,"projects":[{"id": 3}, {"id": 4}]},{"id":3,"projects":[]}]
            clients?select=id,projects!inner(id)&order=id | [{"id":1,"projects":[{"id": 1}, {"id": 2}]},{"id":2,"projects":[{"id": 3}, {"id": 4}]}]
            clients?select=id,projects(id,tasks(id,name))&order=id&limit=1 | [{"id":1,"projects":[{"id": 1, "tasks": [{"id": 1, "name": "Design w7"}, {"id": 2, "name": "Code w7"}]}, {"id": 2, "tasks": [{"id": 3, "name": "Design w10"}, {"id": 4, "name": "Code w10"}]}]}]
            tasks?select=id,users(id,name)&order=id&limit=2 | [{"id":1,"users":[{"id": 1, "name": "Angela"}, {"id": 3, "name": "Dwight"}]},{"id":2,"users":[{"id": 1, "name": "Angela"}]}]
            users?select=name,tasks(id)&order=id | [{"name":"Angela","tasks":[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]},{"name":"Michael","tasks":[{"id": 5}, {"id": 6}, {"id": 7}]},{"name":"Dwight","tasks":[{"id": 1}, {"id": 5}]}]
            users?select=name,tasks(id)&order=id&tasks.order=id.desc&tasks.limit=2 | [{"name":"Angela","tasks":[{"id": 4}, {"id": 3}]},{"name":"Michael","tasks":[{"id": 7}, {"id": 6}]},{"name":"Dwight","tasks":[{"id": 5}, {"id": 1}]}]
            users?select=name,t:tasks(id)&order=id&t.order=id.desc&t.limit=2&t.offset=1 | [{"name":"Angela","t":[{"id": 3}, {"id": 2}]},{"name":"Michael","t":[{"id": 6}, {"id": 5}]},{"name":"Dwight","t":[{"id": 1}]}]
            users?select=name,t:tasks(id),tasks(id)&order=id&limit=1&tasks.limit=1&tasks.order=id.desc&t.id=lt.3&t.order=id | [{"name":"Angela","t":[{"id": 1}, {"id": 2}],"tasks":[{"id": 4}]}]
            users?select=name,t:tasks(id)&order=id&tasks.limit=1&tasks.order=id | [{"name":"Angela","t":[{"id": 1}]},{"name":"Michael","t":[{"id": 5}]},{"name":"Dwight","t":[{"id": 1}]}]
            projects?select=id,detail(txt)&order=id&limit=3 | [{"id":1,"detail":{"txt": "d1"}},{"id":2,"detail":{"txt": "d2"}},{"id":3,"detail":null}]
            detail?select=txt,projects(name)&order=project_id | [{"txt":"d1","projects":{"name": "Windows 7"}},{"txt":"d2","projects":{"name": "Windows 10"}}]
            projects?select=id,clients(name)&clients.name=eq.Apple&order=id | [{"id":1,"clients":null},{"id":2,"clients":null},{"id":3,"clients":{"name": "Apple"}},{"id":4,"clients":{"name": "Apple"}},{"id":5,"clients":null}]
            projects?select=id,clients!inner(name)&clients.name=eq.Apple&order=id | [{"id":3,"clients":{"name": "Apple"}},{"id":4,"clients":{"name": "Apple"}}]
            clients?select=name,projects!inner(id)&projects.name=like.Win*&order=id | [{"name":"Microsoft","projects":[{"id": 1}, {"id": 2}]}]
            clients?select=name,projects(id)&projects.or=(id.eq.1,id.eq.3)&order=id | [{"name":"Microsoft","projects":[{"id": 1}]},{"name":"Apple","projects":[{"id": 3}]},{"name":"None","projects":[]}]
            clients?select=name,projects(id)&projects.not.and=(id.gt.1,id.lt.4)&order=id | [{"name":"Microsoft","projects":[{"id": 1}]},{"name":"Apple","projects":[{"id": 4}]},{"name":"None","projects":[]}]
            clients?select=name,projects(id,tasks(id))&projects.tasks.id=gt.5&order=id | [{"name":"Microsoft","projects":[{"id": 1, "tasks": []}, {"id": 2, "tasks": []}]},{"name":"Apple","projects":[{"id": 3, "tasks": [{"id": 6}]}, {"id": 4, "tasks": [{"id": 7}, {"id": 8}]}]},{"name":"None","projects":[]}]
            clients?select=name,projects!inner(id,tasks!inner(id))&projects.tasks.id=gt.5&order=id | [{"name":"Apple","projects":[{"id": 3, "tasks": [{"id": 6}]}, {"id": 4, "tasks": [{"id": 7}, {"id": 8}]}]}]
            projects?select=id,clients()&clients=is.null | [{"id":5}]
            """)
    void aResourceStandsInTheRow(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
