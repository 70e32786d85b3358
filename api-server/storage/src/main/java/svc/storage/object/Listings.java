package svc.storage.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.ListingRows;
import svc.storage.rows.ListingRows.Order;
import svc.storage.rows.ListingRows.Place;
import svc.storage.rows.ListingRows.Range;

/** Lists files and folders. */
public final class Listings {
    private static final long DEFAULT_LIMIT = 100;
    private static final long MAX_BY_OFFSET = 10_000;
    private static final long MAX_BY_CURSOR = 1_000;

    private final ListingRows rows;

    public Listings(ListingRows rows) {
        this.rows = rows;
    }

    private record Sorting(Order order, boolean descending) {}

    /** {@code POST /object/list/{bucket}}. */
    public void byOffset(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        String prefix = ObjectName.normal(fields.required("prefix"));
        String folder = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
        Sorting sorting = sorting(fields, true);
        // What is before the last slash of the search belongs to the path, as upstream.
        String search = ObjectName.normal(fields.text("search").orElse(""));
        int slash = search.lastIndexOf('/') + 1;
        String path = folder + search.substring(0, slash);
        Answers.text(
                call,
                rows.page(
                        call,
                        Range.of(call.bucket(), path),
                        search.substring(slash),
                        sorting.order(),
                        sorting.descending(),
                        fields.number("limit", 1, MAX_BY_OFFSET).orElse(DEFAULT_LIMIT),
                        fields.number("offset", 0, Long.MAX_VALUE).orElse(0)));
    }

    private static Sorting sorting(BodyFields fields, boolean accessed) {
        JsonNode given = fields.body().path("sortBy");
        String column = given.path("column").asText("name");
        Order order = switch (column) {
            case "", "name" -> Order.NAME;
            case "updated_at" -> Order.UPDATED_AT;
            case "created_at" -> Order.CREATED_AT;
            case "last_accessed_at" -> accessed ? Order.LAST_ACCESSED_AT : null;
            default -> null;
        };
        String direction = given.path("order").asText("asc").toLowerCase(Locale.ROOT);
        if (order == null) {
            throw StorageError.invalidRequest("body/sortBy/column must be equal to one of the allowed values");
        }
        if (!direction.isEmpty() && !direction.equals("asc") && !direction.equals("desc")) {
            throw StorageError.invalidRequest("body/sortBy/order must be equal to one of the allowed values");
        }
        return new Sorting(order, direction.equals("desc"));
    }

    /** {@code POST /object/list-v2/{bucket}}. */
    public void byCursor(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        String prefix = ObjectName.normal(fields.text("prefix").orElse(""));
        boolean folders = fields.flag("with_delimiter").orElse(false);
        long limit = fields.number("limit", 1, MAX_BY_CURSOR).orElse(MAX_BY_CURSOR);
        Sorting sorting = sorting(fields, false);
        Optional<JsonNode> cursor =
                fields.text("cursor").filter(text -> !text.isEmpty()).map(Listings::opened);
        Range range = Range.of(call.bucket(), prefix);
        JsonNode found = sorting.order() == Order.NAME
                ? rows.next(
                        call,
                        cursor.map(at -> behind(range, at, sorting)).orElse(range),
                        folders,
                        sorting.descending(),
                        limit + 1)
                : rows.nextByTime(
                        call,
                        range,
                        folders,
                        sorting.order(),
                        sorting.descending(),
                        cursor.map(Listings::place).orElse(Place.FIRST),
                        limit + 1);
        Answers.json(call, answer(prefix, found, limit, sorting));
    }

    private static Range behind(Range range, JsonNode cursor, Sorting sorting) {
        String name = cursor.path("n").asText();
        return sorting.descending() ? range.before(name) : range.from(name);
    }

    private static Place place(JsonNode cursor) {
        return new Place(
                cursor.path("k").asInt(),
                cursor.path("t").asLong(),
                cursor.path("n").asText());
    }

    private static ObjectNode answer(String prefix, JsonNode found, long limit, Sorting sorting) {
        ObjectNode body = StorageCall.newObject();
        boolean more = found.size() > limit;
        body.put("hasNext", more);
        ArrayNode folders = body.putArray("folders");
        ArrayNode objects = body.putArray("objects");
        String last = "";
        for (int i = 0; i < Math.min(limit, found.size()); i++) {
            ObjectNode entry = (ObjectNode) found.get(i);
            if (entry.path("folder").asBoolean()) {
                String rest = entry.path("rest").asText();
                last = prefix + rest.substring(0, rest.indexOf('/') + 1);
                folders.addObject().put("name", last).put("key", last.substring(0, last.length() - 1));
            } else {
                last = entry.path("name").asText();
                entry.put("key", last);
                objects.add(entry);
            }
        }
        if (more) {
            JsonNode end = found.get((int) limit - 1);
            body.put("nextCursor", cursor(end, last, sorting));
            body.put("nextCursorKey", last);
        }
        objects.forEach(entry -> ((ObjectNode) entry).remove(java.util.List.of("folder", "rest", "at")));
        return body;
    }

    /** In the order of names: the bound of the next page. In that of times: the place of the last entry. */
    private static String cursor(JsonNode end, String last, Sorting sorting) {
        ObjectNode cursor = StorageCall.newObject();
        boolean folder = end.path("folder").asBoolean();
        if (sorting.order() != Order.NAME) {
            cursor.put("k", folder ? 0 : 1)
                    .put("t", end.path("at").asLong())
                    .put("n", end.path("name").asText());
        } else if (sorting.descending()) {
            cursor.put("n", last);
        } else {
            cursor.put("n", folder ? last.substring(0, last.length() - 1) + "0" : last + "\u0001");
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(cursor.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode opened(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            return StorageCall.readObject(text).orElseThrow(() -> StorageError.invalidRequest("Invalid cursor"));
        } catch (IllegalArgumentException e) {
            throw StorageError.invalidRequest("Invalid cursor");
        }
    }
}
