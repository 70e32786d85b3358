package svc.graphql.limits;

import org.junit.jupiter.api.Test;
import svc.crds.project.service.GraphqlSpec;
import svc.graphql.GraphqlFixture;

/** Limits on one operation; each has an error that names it. */
class LimitsTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void depth() {
        var query = new StringBuilder("id");
        for (int i = 0; i < 6; i++) {
            query.insert(0, "owner { blogCollection(first: 1) { edges { node { ")
                    .append(" } } } }");
        }
        BLOG.ask("{ blogByPk(id: 1) { " + query + " } }").fails("The operation is nested more than 15 deep");
        BLOG.with(new GraphqlSpec(true, true, 3, 30, false))
                .ask("{ accountCollection { edges { node { profile { bio } } } } }")
                .fails("The operation is nested more than 3 deep");
        BLOG.with(new GraphqlSpec(true, true, 100, 30, false))
                .ask("{ blogByPk(id: 1) { " + query + " } }")
                .data();
    }

    @Test
    void rows() {
        var many = BLOG.with(new GraphqlSpec(true, true, 15, 10_000, false));
        many.ask("{ accountCollection { edges { node { blogCollection { edges { node { id } } } } } } }")
                .fails("The operation may return more than 1000000 rows: request smaller pages or fewer levels");
    }

    /** By PostgreSQL's estimates: fifty counts of a table of two and a half million rows. */
    @Test
    void reads() {
        var large = GraphqlFixture.serve("""
                CREATE TABLE event (id int PRIMARY KEY);
                COMMENT ON TABLE event IS '@graphql({"totalCount": {"enabled": true}})';
                """);
        large.estimate("event", 2_500_000);
        var counts = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            counts.append(" a").append(i).append(": eventCollection { totalCount }");
        }
        large.ask("{" + counts + "}")
                .fails("The operation may read more than 100000000 rows: count, aggregate, order or filter less,"
                        + " or fewer times");
        large.ask("{ eventCollection { totalCount edges { cursor } } }")
                .answers("{'eventCollection':{'totalCount':0,'edges':[]}}");
    }

    @Test
    void rootFieldsAndAliases() {
        var roots = new StringBuilder();
        for (int i = 0; i < 51; i++) {
            roots.append(" a").append(i).append(": __typename");
        }
        BLOG.ask("{" + roots + "}").fails("The operation has more than 50 root fields");
        var aliases = new StringBuilder();
        for (int i = 0; i < 501; i++) {
            aliases.append(" a").append(i).append(": id");
        }
        BLOG.ask("{ accountByPk(id: 1) {" + aliases + "} }").fails("The operation has more than 500 aliases");
    }

    /** Each fragment spreads the one before it twice: two to the power of thirty fields. */
    @Test
    void fragmentsThatMultiply() {
        var document = new StringBuilder("{ accountByPk(id: 1) { ...f30 } } fragment f0 on Account { id }");
        for (int i = 1; i <= 30; i++) {
            document.append(" fragment f")
                    .append(i)
                    .append(" on Account { ...f")
                    .append(i - 1)
                    .append(" ...f")
                    .append(i - 1)
                    .append(" }");
        }
        BLOG.ask(document.toString()).refused("The operation has more than 4000 fields");
    }

    @Test
    void filters() {
        var deep = new StringBuilder("id: {eq: 1}");
        for (int i = 0; i < 40; i++) {
            deep.insert(0, "not: {").append("}");
        }
        BLOG.ask("{ accountCollection(filter: {" + deep + "}) { edges { cursor } } }")
                .fails("A filter is nested more than 30 deep");
        String wide = "{id: {eq: 1}},".repeat(300);
        BLOG.ask("{ accountCollection(filter: {or: [" + wide + "]}) { edges { cursor } } }")
                .fails("The operation has more than 500 conditions");
        String ids = "1,".repeat(5_000);
        BLOG.ask("{ accountCollection(filter: {id: {in: [" + ids + "]}}) { edges { node { id } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'id':1}}]}}");
    }

    @Test
    void tokensAndNesting() {
        BLOG.ask("{ " + "a ".repeat(20_000) + "}").failsLike("query parse error");
        BLOG.ask("{ a".repeat(5_000)).failsLike("query parse error");
        BLOG.ask("{ a(b: " + "[".repeat(10_000)).failsLike("query parse error");
    }

    @Test
    void objects() {
        BLOG.ask("mutation ($o: [BlogInsertInput!]!) { insertIntoBlogCollection(objects: $o) { affectedCount } }")
                .variables("{'o':[" + "{},".repeat(5_000) + "{}]}")
                .fails("At most 5000 records may be provided to objects");
    }
}
