package svc.bench.functions;

/** A function of a usual size: a handler, and 300 KB of libraries of which it uses little. */
final class UsualFunction {
    private static final int BYTES = 300_000;

    private UsualFunction() {}

    /** JavaScript, which bundling leaves as it is: all of it is exported. */
    static String source() {
        var text = new StringBuilder("export default () => new Response('x');\n");
        for (int i = 0; text.length() < BYTES; i++) {
            text.append(
                    "export function library%1$d(a, b) { const c = { a, b, n: %1$d }; return c.n > a ? [c] : b?.x; }\n"
                            .formatted(i));
        }
        return text.toString();
    }
}
