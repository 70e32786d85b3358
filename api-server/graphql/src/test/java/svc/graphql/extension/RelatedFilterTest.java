package svc.graphql.extension;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Filters by related rows: the row that a key leads to; some, every or none of the rows that lead back. */
class RelatedFilterTest {
    private static final GraphqlFixture BLOG = ExtendedFixture.of(GraphqlFixture.blog());

    private static void blogs(String filter, Object... ids) {
        var edges = new StringBuilder();
        for (Object id : ids) {
            edges.append(edges.isEmpty() ? "" : ",")
                    .append("{'node':{'id':")
                    .append(id)
                    .append("}}");
        }
        BLOG.ask("{ blogCollection(filter: " + filter + ") { edges { node { id } } } }")
                .answers("{'blogCollection':{'edges':[" + edges + "]}}");
    }

    @Test
    void theRowThatAKeyLeadsTo() {
        blogs("{owner: {email: {eq: \"ada@x.org\"}}}", 1, 2);
        blogs("{owner: {profile: {bio: {like: \"c%\"}}}}", 1, 2);
        blogs("{not: {owner: {profile: {}}}}", 3, 4);
        blogs("{or: [{owner: {email: {eq: \"bob@x.org\"}}}, {id: {eq: 4}}]}", 3, 4);
        blogs("{owner: null, id: {eq: 1}}", 1);
        blogs("{owner: {nodeId: {eq: \"WyJwdWJsaWMiLCAiYWNjb3VudCIsIDNd\"}}}", 4);
    }

    @Test
    void someEveryOrNoneOfTheRowsThatLeadBack() {
        blogs("{blogPostCollection: {some: {status: {eq: released}}}}", 1, 2);
        blogs("{blogPostCollection: {every: {status: {eq: released}}}}", 2, 3, 4);
        blogs("{blogPostCollection: {none: {status: {eq: draft}}}}", 2, 3, 4);
        blogs("{blogPostCollection: {some: {}, every: {status: {eq: released}}}}", 2);
        blogs("{blogPostCollection: {none: {}}}", 3, 4);
        blogs("{blogPostCollection: {some: {editor: {blogCollection: {some: {name: {eq: \"Birds\"}}}}}}}", 1);
        // A comparison with null is not true, so not every row matches.
        blogs("{blogPostCollection: {every: {editorId: {eq: 2}}}}", 3, 4);
        blogs("{blogPostCollection: null, id: {eq: 1}}", 1);
    }

    @Test
    void countsAndWritesUseThem() {
        BLOG.ask("{ blogCollection(filter: {owner: {email: {eq: \"ada@x.org\"}}}) { totalCount aggregate { count } } }")
                .answers("{'blogCollection':{'totalCount':2,'aggregate':{'count':2}}}");
        var own = ExtendedFixture.serve(GraphqlFixture.BLOG);
        own.ask("mutation { deleteFromBlogPostCollection(filter: {blog: {owner: {id: {eq: 1}}}}, atMost: 9)"
                        + " { affectedCount } updateBlogCollection(filter: {blogPostCollection: {none: {}}},"
                        + " set: {rank: 0}, atMost: 9) { affectedCount } }")
                .answers(
                        "{'deleteFromBlogPostCollection':{'affectedCount':3},'updateBlogCollection':{'affectedCount':4}}");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        BLOG.ask("{ blogCollection(filter: {owner: {nope: {eq: 1}}}) { edges { cursor } } }")
                .fails("Input for type AccountFilter contains extra keys [\"nope\"]");
        BLOG.ask("{ blogCollection(filter: {blogPostCollection: {id: {eq: 1}}}) { edges { cursor } } }")
                .fails("Input for type BlogPostRelationFilter contains extra keys [\"id\"]");
        BLOG.ask("{ blogCollection(filter: {blogPostCollection: [1]}) { edges { cursor } } }")
                .fails("Invalid input for BlogPostRelationFilter type");
        BLOG.ask("{ blogCollection(filter: {owner: 7}) { edges { cursor } } }")
                .fails("Invalid input for AccountFilter type");
    }

    @Test
    void theyAreCounted() {
        var deep = new StringBuilder("id: {eq: 1}");
        for (int i = 0; i < 11; i++) {
            deep.insert(0, "owner: {blogCollection: {some: {").append("}}}");
        }
        BLOG.ask("{ blogCollection(filter: {" + deep + "}) { edges { cursor } } }")
                .fails("The operation has more than 20 filters and orders by relations");
        BLOG.ask("{ blogCollection(filter: {or: [" + "{owner: {id: {eq: 1}}},".repeat(21)
                        + "]}) { edges { cursor } } }")
                .fails("The operation has more than 20 filters and orders by relations");
    }

    /** What a role may not read must not be found out by filters. */
    @Test
    void aRelationThatTheRoleMayNotReadDoesNotExist() {
        var guarded = ExtendedFixture.serve("""
                CREATE TABLE hidden (id int PRIMARY KEY, secret text);
                CREATE TABLE half (id int PRIMARY KEY, secret text);
                CREATE TABLE owned (id int PRIMARY KEY, owner text, secret text);
                CREATE TABLE note (id int PRIMARY KEY, hidden_id int REFERENCES hidden, half_id int REFERENCES half,
                    owned_id int REFERENCES owned);
                ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON owned USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
                INSERT INTO hidden VALUES (1, 's'); INSERT INTO half VALUES (1, 's'); INSERT INTO owned VALUES (1, 'bob', 's');
                INSERT INTO note VALUES (1, 1, 1, 1);
                """);
        String anon = guarded.anon();
        guarded.asOwner(
                "REVOKE ALL ON hidden FROM %1$s; REVOKE ALL ON half FROM %1$s; GRANT SELECT (id) ON half TO %1$s"
                        .formatted(anon));
        guarded.ask("{ noteCollection(filter: {hidden: {secret: {eq: \"s\"}}}) { edges { cursor } } }")
                .fails("Input for type NoteFilter contains extra keys [\"hidden\"]");
        guarded.ask("{ noteCollection(filter: {half: {secret: {eq: \"s\"}}}) { edges { cursor } } }")
                .fails("Input for type HalfFilter contains extra keys [\"secret\"]");
        guarded.ask("{ noteCollection(filter: {half: {id: {eq: 1}}}) { edges { node { id } } } }")
                .answers("{'noteCollection':{'edges':[{'node':{'id':1}}]}}");
        guarded.ask("{ noteCollection(filter: {owned: {secret: {eq: \"s\"}}}) { edges { cursor } } }")
                .as("ada")
                .answers("{'noteCollection':{'edges':[]}}");
        guarded.ask("{ noteCollection(orderBy: [{hidden: {secret: AscNullsLast}}]) { edges { cursor } } }")
                .fails("Input for type NoteOrderBy contains extra keys [\"hidden\"]");
        guarded.asOwner("REVOKE ALL ON note FROM %1$s; GRANT SELECT (id) ON note TO %1$s".formatted(anon));
        guarded.ask("{ noteCollection(filter: {half: {id: {eq: 1}}}) { edges { cursor } } }")
                .fails("Input for type NoteFilter contains extra keys [\"half\"]");
        guarded.ask("{ noteCollection { edges { node { half { id } } } } }")
                .fails("Unknown field 'half' on type 'Note'");
    }
}
