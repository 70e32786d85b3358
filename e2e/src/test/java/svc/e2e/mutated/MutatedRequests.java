package svc.e2e.mutated;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Makes requests that are nearly right, the same ones from the same seed. */
final class MutatedRequests {
    private static final int MAX_MISTAKES = 3;

    private final Random random;
    private final List<Route> routes;
    private final Addresses addresses;
    private final int weights;
    private final List<Mutation> always = Stream.concat(TargetMutations.all().stream(), HeaderMutations.all().stream())
            .toList();
    private final List<Mutation> withBody = Stream.of(always, BodyMutations.all(), BodyMutations.all())
            .flatMap(List::stream)
            .toList();

    /**
     * Where and as whom.
     *
     * @param dataHost of the project
     * @param dataPath before the paths of the project at the control plane's host
     * @param tokens of the control plane: with all rights, with none, revoked
     * @param keys of the project, as header {@code apikey}
     * @param bearers of the project, as header {@code Authorization}: keys, the token of a user
     */
    record Addresses(
            int port, String dataHost, String dataPath, List<String> tokens, List<String> keys, List<String> bearers) {}

    MutatedRequests(long seed, List<Route> routes, Addresses addresses) {
        this.random = new Random(seed);
        this.routes = routes;
        this.addresses = addresses;
        this.weights = routes.stream().mapToInt(Route::weight).sum();
    }

    Draft next() {
        Draft draft = correct(route());
        List<Mutation> mutations = draft.body.length == 0 && random.nextInt(4) > 0 ? always : withBody;
        for (int left = 1 + random.nextInt(MAX_MISTAKES); left > 0; left--) {
            mutations.get(random.nextInt(mutations.size())).change(draft, random);
        }
        return draft;
    }

    private Route route() {
        int at = random.nextInt(weights);
        for (Route route : routes) {
            at -= route.weight();
            if (at < 0) {
                return route;
            }
        }
        throw new AssertionError("weights do not add up");
    }

    private Draft correct(Route route) {
        boolean data = route.plane() == Route.Plane.DATA;
        boolean byPath = data && random.nextInt(5) == 0;
        Draft draft = new Draft(route, byPath ? addresses.dataPath() + route.path() : route.path());
        draft.set("Host", data && !byPath ? addresses.dataHost() : "127.0.0.1:" + addresses.port());
        draft.set("Origin", "https://app.example");
        if (!route.bodies().isEmpty()) {
            draft.set("Content-Type", "application/json");
            draft.body = any(route.bodies()).getBytes(StandardCharsets.UTF_8);
        }
        if (!data) {
            draft.set(
                    "Authorization",
                    "Bearer " + (random.nextInt(4) > 0 ? addresses.tokens().getFirst() : any(addresses.tokens())));
            return draft;
        }
        if (random.nextInt(12) > 0) {
            draft.set("apikey", any(addresses.keys()));
        }
        if (random.nextInt(3) > 0) {
            draft.set("Authorization", "Bearer " + any(addresses.bearers()));
        }
        return draft;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
