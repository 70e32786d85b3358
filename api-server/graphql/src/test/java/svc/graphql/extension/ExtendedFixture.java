package svc.graphql.extension;

import svc.crds.project.service.GraphqlSpec;
import svc.graphql.GraphqlFixture;

/** Projects whose schema has the extensions. */
final class ExtendedFixture {
    private static final GraphqlSpec EXTENDED = new GraphqlSpec(true, true, 15, 30, true);

    private ExtendedFixture() {}

    static GraphqlFixture of(GraphqlFixture project) {
        return project.with(EXTENDED);
    }

    static GraphqlFixture serve(String sql) {
        return of(GraphqlFixture.serve(sql));
    }
}
