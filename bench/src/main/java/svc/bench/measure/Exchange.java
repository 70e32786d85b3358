package svc.bench.measure;

import java.util.Optional;

/**
 * One kind of request that is measured, the same for both servers.
 *
 * @param name in the report
 * @param target path and query with {@code %d} where a key goes, 1 to {@code keys}
 * @param body the same, empty for a request without
 * @param leastRatio how many times the peer's throughput is asked for
 */
public record Exchange(String name, String method, String target, int keys, Optional<String> body, double leastRatio) {
    public static final Exchange READ_BY_KEY = new Exchange(
            "REST read by key", "GET", "/item?select=id,title&id=eq.%d", BenchTables.ITEMS, Optional.empty(), 4);
    public static final Exchange LIST = new Exchange(
            "REST list of 15 rows",
            "GET",
            "/item?select=id,title,price,made&id=gt.%d&order=id&limit=15",
            BenchTables.ITEMS - 15,
            Optional.empty(),
            3);
    public static final Exchange TWO_EMBEDS = new Exchange(
            "REST row with two embeds",
            "GET",
            "/item?select=id,title,author(name),review(rating,body)&id=eq.%d",
            BenchTables.ITEMS,
            Optional.empty(),
            3);
    public static final Exchange SCALAR_CALL = new Exchange(
            "REST scalar RPC", "POST", "/rpc/add", BenchTables.ITEMS, Optional.of("{\"a\":%d,\"b\":2}"), 3);
    public static final Exchange INSERT = new Exchange(
            "REST single insert", "POST", "/entry", BenchTables.ITEMS, Optional.of("{\"title\":\"entry %d\"}"), 3);

    /** With this key in the place of the placeholder. */
    public Exchange withKey(int key) {
        return new Exchange(
                name, method, target.formatted(key), keys, body.map(text -> text.formatted(key)), leastRatio);
    }
}
