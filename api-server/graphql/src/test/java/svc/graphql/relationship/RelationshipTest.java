package svc.graphql.relationship;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Fields that lead to other rows: by foreign keys both ways, by comments, by functions. */
class RelationshipTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aKeyLeadsToOneRowAndBackToMany() {
        BLOG.ask("{ blogCollection(first: 1) { edges { node { name owner { email blogCollection(orderBy:"
                        + " {id: DescNullsLast}) { edges { node { name } } totalCount } } } } } }")
                .answers("{'blogCollection':{'edges':[{'node':{'name':'Engines','owner':{'email':'ada@x.org',"
                        + "'blogCollection':{'edges':[{'node':{'name':'Poems'}},{'node':{'name':'Engines'}}],"
                        + "'totalCount':2}}}}]}}");
    }

    @Test
    void aKeyThatIsNullLeadsToNull() {
        BLOG.ask(
                        "{ blogPostCollection(filter: {title: {eq: \"Lost\"}}) { edges { node { blog { id } editor { id } } } } }")
                .answers("{'blogPostCollection':{'edges':[{'node':{'blog':null,'editor':null}}]}}");
    }

    @Test
    void aUniqueKeyLeadsToOneRowBothWays() {
        BLOG.ask("{ accountCollection(first: 2) { edges { node { profile { bio account { id } } } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'profile':{'bio':'countess','account':{'id':1}}}},"
                        + "{'node':{'profile':null}}]}}");
    }

    @Test
    void nestedCollectionsPageAndFilterOnTheirOwn() {
        BLOG.ask(
                        "{ blogCollection(filter: {id: {lte: 2}}) { edges { node { id blogPostCollection(first: 1, filter:"
                                + " {status: {eq: released}}) { edges { cursor node { title } } pageInfo { hasNextPage } } } } } }")
                .answers("{'blogCollection':{'edges':[{'node':{'id':1,'blogPostCollection':{'edges':[{'cursor':'WzFd',"
                        + "'node':{'title':'First'}}],'pageInfo':{'hasNextPage':false}}}},{'node':{'id':2,"
                        + "'blogPostCollection':{'edges':[{'cursor':'WzNd','node':{'title':'Ode'}}],"
                        + "'pageInfo':{'hasNextPage':false}}}}]}}");
    }

    @Test
    void functionsOfARowAreComputedFieldsAndRelationships() {
        BLOG.ask("{ blogCollection(filter: {id: {lte: 2}}) { edges { node { shout latest { title } drafts { edges"
                        + " { node { title } } } } } } }")
                .answers("{'blogCollection':{'edges':[{'node':{'shout':'ENGINES','latest':{'title':'Second'},'drafts':"
                        + "{'edges':[{'node':{'title':'Second'}}]}}},{'node':{'shout':'POEMS','latest':{'title':'Ode'},"
                        + "'drafts':{'edges':[]}}}]}}");
    }

    @Test
    void commentsNameTheFieldsOfAKey() {
        var named = GraphqlFixture.serve("""
                CREATE TABLE place (id int PRIMARY KEY);
                CREATE TABLE trip (id int PRIMARY KEY, start int REFERENCES place, goal int);
                ALTER TABLE trip ADD CONSTRAINT to_goal FOREIGN KEY (goal) REFERENCES place;
                COMMENT ON CONSTRAINT to_goal ON trip IS '@graphql({"foreign_name": "destination", "local_name": "arrivals"})';
                INSERT INTO place VALUES (1), (2);
                INSERT INTO trip VALUES (7, 1, 2);
                """);
        named.ask(
                        "{ tripCollection { edges { node { place { id } destination { id arrivals { edges { node { id } } } } } } } }")
                .answers("{'tripCollection':{'edges':[{'node':{'place':{'id':1},'destination':{'id':2,'arrivals':"
                        + "{'edges':[{'node':{'id':7}}]}}}}]}}");
    }

    @Test
    void keysOfSeveralColumnsWork() {
        var pairs = GraphqlFixture.serve("""
                CREATE TABLE shelf (room int, number int, label text, PRIMARY KEY (room, number));
                CREATE TABLE book (id int PRIMARY KEY, room int, number int,
                    FOREIGN KEY (room, number) REFERENCES shelf);
                INSERT INTO shelf VALUES (1, 2, 'a'), (1, 3, 'b');
                INSERT INTO book VALUES (1, 1, 2), (2, 1, 3), (3, 1, 3);
                """);
        pairs.ask("{ shelfCollection { edges { cursor node { nodeId label bookCollection { edges { node { id shelf"
                        + " { label } } } } } } } shelfByPk(room: 1, number: 3) { label } }")
                .answers("{'shelfCollection':{'edges':[{'cursor':'WzEsIDJd','node':{'nodeId':"
                        + "'WyJwdWJsaWMiLCAic2hlbGYiLCAxLCAyXQ==','label':'a','bookCollection':{'edges':[{'node':{'id':1,"
                        + "'shelf':{'label':'a'}}}]}}},{'cursor':'WzEsIDNd','node':{'nodeId':"
                        + "'WyJwdWJsaWMiLCAic2hlbGYiLCAxLCAzXQ==','label':'b','bookCollection':{'edges':[{'node':{'id':2,"
                        + "'shelf':{'label':'b'}}},{'node':{'id':3,'shelf':{'label':'b'}}}]}}}]},"
                        + "'shelfByPk':{'label':'b'}}");
    }

    @Test
    void aViewHasTheKeysThatItsCommentDeclares() {
        var views = GraphqlFixture.serve("""
                CREATE TABLE person (id int PRIMARY KEY, name text);
                CREATE TABLE pet (id int PRIMARY KEY, person_id int REFERENCES person);
                CREATE VIEW people AS SELECT id, name FROM person;
                CREATE VIEW pets AS SELECT id, person_id FROM pet;
                COMMENT ON VIEW pets IS '@graphql({"primary_key_columns": ["id"], "foreign_keys": [{"local_name":
                    "animals", "local_columns": ["person_id"], "foreign_name": "keeper", "foreign_schema": "public",
                    "foreign_table": "person", "foreign_columns": ["id"]}]})';
                INSERT INTO person VALUES (1, 'Ada');
                INSERT INTO pet VALUES (5, 1);
                """);
        views.ask("{ petsCollection { edges { node { id keeper { name animals { edges { node { id } } } } } } } }")
                .answers("{'petsCollection':{'edges':[{'node':{'id':5,'keeper':{'name':'Ada','animals':"
                        + "{'edges':[{'node':{'id':5}}]}}}}]}}");
        views.ask("{ peopleCollection { edges { cursor } } }")
                .fails("Unknown field \"peopleCollection\" on type Query");
    }
}
