package svc.rest.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import svc.rest.error.RestError;

/** The objects of a JSON array by which of some keys they have, in the order of the first object of each group. */
final class KeyGroups {
    private final Map<Set<String>, Group> groups = new LinkedHashMap<>();
    private final Set<String> wanted;
    private final int most;

    private KeyGroups(Set<String> wanted, int most) {
        this.wanted = wanted;
        this.most = most;
    }

    /**
     * @param array valid JSON
     * @param most limits the number of groups
     * @throws RestError PGRST102 for more groups
     */
    static List<Payload.KeyGroup> of(String array, Set<String> wanted, int most) {
        var groups = new KeyGroups(wanted, most);
        try (JsonParser parser = JsonBodyReader.JSON.createParser(array)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                groups.object(parser, array);
            }
        } catch (IOException e) {
            throw JsonBodyReader.invalid();
        }
        return groups.groups.values().stream().map(Group::done).toList();
    }

    private void object(JsonParser parser, String array) throws IOException {
        int from = JsonBodyReader.tokenStart(parser);
        Set<String> keys = new TreeSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (wanted.contains(parser.currentName())) {
                keys.add(parser.currentName());
            }
            parser.nextToken();
            parser.skipChildren();
        }
        Group group = groups.computeIfAbsent(keys, Group::new);
        if (groups.size() > most) {
            throw Payload.tooManyGroups(most);
        }
        group.add(array, from, JsonBodyReader.position(parser));
    }

    private static final class Group {
        private final Set<String> keys;
        private final StringBuilder json = new StringBuilder("[");
        private int size;

        Group(Set<String> keys) {
            this.keys = Collections.unmodifiableSet(keys);
        }

        void add(String array, int from, int to) {
            json.append(size++ == 0 ? "" : ",").append(array, from, to);
        }

        Payload.KeyGroup done() {
            return new Payload.KeyGroup(keys, size, json.append(']').toString());
        }
    }
}
