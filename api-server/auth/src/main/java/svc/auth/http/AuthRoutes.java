package svc.auth.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Which call is answered by what: a method and a path, whose segments in braces stand for anything. The first that fits
 * answers.
 */
public final class AuthRoutes {
    private final List<Route> routes = new ArrayList<>();

    /** What answers a call. */
    @FunctionalInterface
    public interface Endpoint {
        /**
         * Answers, and may wait.
         *
         * @throws AuthError for everything that is not as it should be
         */
        AuthAnswer answer(AuthRequest request);

        /** Begins to answer on an event loop; empty when the call may have to wait. Throws, or fails, like the other. */
        default Optional<CompletableFuture<AuthAnswer>> begin(AuthRequest request) {
            return Optional.empty();
        }
    }

    /** Of something that never waits. */
    public static Endpoint soon(Function<AuthRequest, CompletableFuture<AuthAnswer>> begun) {
        return new Endpoint() {
            @Override
            public AuthAnswer answer(AuthRequest request) {
                try {
                    return begun.apply(request).join();
                } catch (CompletionException e) {
                    throw e.getCause() instanceof RuntimeException why ? why : e;
                }
            }

            @Override
            public Optional<CompletableFuture<AuthAnswer>> begin(AuthRequest request) {
                return Optional.of(begun.apply(request));
            }
        };
    }

    private record Route(String method, List<String> pattern, Endpoint endpoint) {
        boolean fits(List<String> path) {
            if (path.size() != pattern.size()) {
                return false;
            }
            for (int i = 0; i < path.size(); i++) {
                if (!isPlace(pattern.get(i)) && !pattern.get(i).equals(path.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** @param path such as {@code /admin/users/{id}}; what stands in a place is {@link AuthRequest#place(int)} */
    public AuthRoutes on(String method, String path, Endpoint endpoint) {
        routes.add(new Route(method, segments(path), endpoint));
        return this;
    }

    /**
     * What answers a call, with what its path has in the places.
     *
     * @throws AuthError of 404 for a path that nothing answers, of 405 for one that takes other methods
     */
    public Endpoint of(AuthRequest request) {
        String method = request.method();
        List<String> path = segments(request.path());
        List<Route> there = routes.stream().filter(route -> route.fits(path)).toList();
        if (there.isEmpty()) {
            throw AuthErrorCode.NOT_FOUND.error("The auth service has no " + method + " " + request.path());
        }
        Route route = there.stream()
                .filter(one -> one.method().equals(method))
                .findFirst()
                .orElseThrow(() -> AuthErrorCode.METHOD_NOT_ALLOWED.error(request.path() + " takes no " + method));
        List<String> places = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            if (isPlace(route.pattern().get(i))) {
                places.add(path.get(i));
            }
        }
        request.at(places);
        return route.endpoint();
    }

    private static boolean isPlace(String segment) {
        return segment.startsWith("{");
    }

    private static List<String> segments(String path) {
        return List.of(path.substring(1).split("/", -1));
    }
}
