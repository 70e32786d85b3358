package svc.e2e.mutated;

import java.util.List;

/**
 * A call that a platform answers, before anything is wrong with it.
 *
 * @param plane decides which credentials and hosts are tried
 * @param path below the plane's root, with a query where the call takes one
 * @param bodies some that fit; empty for calls without one
 * @param weight how often it is sent: calls that cost seconds less than others
 */
record Route(Plane plane, String method, String path, List<String> bodies, int weight) {
    static final int USUAL = 100;

    /** Which promises hold: the data plane is one for browsers. */
    enum Plane {
        CONTROL,
        DATA
    }

    static Route data(String method, String path, String... bodies) {
        return new Route(Plane.DATA, method, path, List.of(bodies), USUAL);
    }

    static Route control(String method, String path, String... bodies) {
        return new Route(Plane.CONTROL, method, path, List.of(bodies), USUAL);
    }

    Route weighing(int other) {
        return new Route(plane, method, path, bodies, other);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
