package svc.auth.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Routes by method and path; a segment in braces matches any text. The first route that matches answers. Immutable once it is
 * built.
 */
public final class AuthRoutes {
    private final List<Route> routes = new ArrayList<>();

    /** The handler of a route. */
    @FunctionalInterface
    public interface Endpoint {
        /**
         * Answers, and may block.
         *
         * @throws AuthError for every refusal
         */
        AuthResponse answer(AuthRequest request);

        /** Starts to answer on an event loop; empty when the call may block. Throws, or fails, like {@link #answer}. */
        default Optional<CompletableFuture<AuthResponse>> begin(AuthRequest request) {
            return Optional.empty();
        }
    }

    /** A handler that never blocks. */
    public static Endpoint async(Function<AuthRequest, CompletableFuture<AuthResponse>> begun) {
        return new Endpoint() {
            @Override
            public AuthResponse answer(AuthRequest request) {
                try {
                    return begun.apply(request).join();
                } catch (CompletionException e) {
                    throw e.getCause() instanceof RuntimeException why ? why : e;
                }
            }

            @Override
            public Optional<CompletableFuture<AuthResponse>> begin(AuthRequest request) {
                return Optional.of(begun.apply(request));
            }
        };
    }

    private record Route(String method, List<String> pattern, Endpoint endpoint) {
        boolean matches(List<String> path) {
            if (path.size() != pattern.size()) {
                return false;
            }
            for (int i = 0; i < path.size(); i++) {
                if (!isParameter(pattern.get(i)) && !pattern.get(i).equals(path.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** @param path such as {@code /admin/users/{id}}; the handler reads {@link AuthRequest#pathId} */
    public AuthRoutes on(String method, String path, Endpoint endpoint) {
        routes.add(new Route(method, segments(path), endpoint));
        return this;
    }

    /**
     * The handler of a request, to which the parameters of the path are bound.
     *
     * @throws AuthError of 404 for an unknown path, of 405 for another method
     */
    public Endpoint of(AuthRequest request) {
        String method = request.method();
        List<String> path = segments(request.path());
        List<Route> there = routes.stream().filter(route -> route.matches(path)).toList();
        if (there.isEmpty()) {
            throw AuthErrorCode.NOT_FOUND.error("The auth service has no " + method + " " + request.path());
        }
        Route route = there.stream()
                .filter(one -> one.method().equals(method))
                .findFirst()
                .orElseThrow(() -> AuthErrorCode.METHOD_NOT_ALLOWED.error(request.path() + " takes no " + method));
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            if (isParameter(route.pattern().get(i))) {
                parameters.add(path.get(i));
            }
        }
        request.bind(parameters);
        return route.endpoint();
    }

    /** All routes, such as {@code PUT /admin/users/{id}}. */
    public List<String> calls() {
        return routes.stream()
                .map(route -> route.method() + " /" + String.join("/", route.pattern()))
                .toList();
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }

    private static List<String> segments(String path) {
        return List.of(path.substring(1).split("/", -1));
    }
}
