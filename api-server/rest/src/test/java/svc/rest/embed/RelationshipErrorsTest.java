package svc.rest.embed;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** Errors of embeddings: unknown and ambiguous relationships, and invalid parameters of resources. */
class RelationshipErrorsTest {
    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
    }

    @Test
    void noRelationship() {
        fixture.ask("GET /projects?select=id,clientx(x)")
                .fails(400, "PGRST200")
                .contains("\"message\":\"Could not find a relationship between 'projects' and 'clientx' in the schema"
                        + " cache\"")
                .contains("\"details\":\"Searched for a foreign key relationship between 'projects' and 'clientx' in"
                        + " the schema 'public', but no matches were found.\"")
                .contains("\"hint\":\"Perhaps you meant 'clients' instead of 'clientx'.\"");
        fixture.ask("GET /projects?select=id,clients!nope(id)")
                .fails(400, "PGRST200")
                .contains("between 'projects' and 'clients' using the hint 'nope' in the schema '");
        fixture.ask("GET /projects?select=...users(id)").fails(400, "PGRST200");
    }

    @Test
    void moreThanOneRelationship() {
        fixture.ask("GET /trips?select=id,places(name)")
                .fails(300, "PGRST201")
                .contains("\"message\":\"Could not embed because more than one relationship was found for 'trips' and"
                        + " 'places'\"")
                .contains("\"cardinality\":\"many-to-one\"")
                .contains("\"embedding\":\"trips with places\"")
                .contains("trips_start_fkey using trips(start) and places(id)")
                .contains("places!trips_end_fkey")
                .contains("places!trips_start_fkey");
        fixture.ask("GET /trips?select=id,from:places!start(name),to:places!trips_end_fkey(name)")
                .status(200)
                .answers("[{\"id\":1,\"from\":{\"name\": \"Rome\"},\"to\":{\"name\": \"Oslo\"}}]");
        fixture.ask("GET /trips?select=id,start(name)&start.name=eq.Oslo").answers("[{\"id\":1,\"start\":null}]");
    }

    @Test
    void aTableIsEmbeddedInItself() {
        fixture.ask("GET /staff?select=name,boss(name)&order=id&limit=2")
                .answers("[{\"name\":\"Ada\",\"boss\":null},{\"name\":\"Bob\",\"boss\":{\"name\": \"Ada\"}}]");
        fixture.ask("GET /staff?select=name,reports:staff!boss(name,boss(name))&order=id&limit=1&reports.order=id")
                .answers("[{\"name\":\"Ada\",\"reports\":[{\"boss\": {\"name\": \"Ada\"}, \"name\": \"Bob\"},"
                        + " {\"boss\": {\"name\": \"Ada\"}, \"name\": \"Cy\"}]}]");
    }

    @Test
    void aViewHasTheRelationshipsOfItsTables() {
        fixture.ask("GET /big_projects?select=name,clients(name),tasks(id)&order=id&limit=1&tasks.order=id")
                .answers("[{\"name\":\"Windows 7\",\"clients\":{\"name\": \"Microsoft\"},"
                        + "\"tasks\":[{\"id\": 1}, {\"id\": 2}]}]");
        fixture.ask("GET /clients?select=name,big_projects(name)&order=id.desc&limit=2&big_projects.order=id")
                .answers("[{\"name\":\"None\",\"big_projects\":[]},"
                        + "{\"name\":\"Apple\",\"big_projects\":[{\"name\": \"IOS\"}]}]");
    }

    @Test
    void aForeignKeyCountsFromItsAnswerOn() {
        fixture.projects().asOwner(fixture.tenant(), "CREATE TABLE badges (id int PRIMARY KEY, owner int)");
        fixture.ask("GET /badges?select=id,users(name)").fails(400, "PGRST200");
        fixture.projects().asOwner(fixture.tenant(), "ALTER TABLE badges ADD FOREIGN KEY (owner) REFERENCES users");
        fixture.ask("GET /badges?select=id,users(name)").status(200).answers("[]");
    }

    @Test
    void aParameterOfNoResource() {
        for (String parameter : new String[] {
            "clients.name=eq.x", "clients.order=name", "clients.limit=1", "clients.or=(id.eq.1)", "order=clients(name)"
        }) {
            fixture.ask("GET /projects?select=id&" + parameter)
                    .fails(400, "PGRST108")
                    .contains("\"message\":\"'clients' is not an embedded resource in this request\"")
                    .contains("\"hint\":\"Verify that 'clients' is included in the 'select' query parameter.\"");
        }
        fixture.ask("GET /projects?select=id,clients(id)&clients.tasks.id=eq.1").fails(400, "PGRST108");
    }

    @Test
    void whatCannotBeAskedOfAResource() {
        fixture.ask("GET /projects?select=id,tasks(id)&order=tasks(name)")
                .fails(400, "PGRST118")
                .contains("\"message\":\"A related order on 'tasks' is not possible\"")
                .contains(
                        "\"details\":\"'projects' and 'tasks' do not form a many-to-one or one-to-one relationship\"");
        fixture.ask("GET /projects?select=id,clients(id)&clients=eq.1")
                .fails(400, "PGRST120")
                .contains("\"message\":\"Bad operator on the 'clients' embedded resource\"")
                .contains("\"details\":\"Only is null or not is null filters are allowed on embedded resources\"");
        fixture.ask("GET /projects?select=id,clients(id)&or=(clients.gt.1,id.eq.1)")
                .fails(400, "PGRST120");
    }

    @Test
    void aColumnThatIsNotThereIsNamedAsCallersKnowIt() {
        fixture.ask("GET /projects?select=id,tasks(x)").fails(400, "42703").contains("column tasks_1.x does not exist");
        fixture.ask("GET /projects?select=nope").fails(400, "42703").contains("column projects.nope does not exist");
    }
}
