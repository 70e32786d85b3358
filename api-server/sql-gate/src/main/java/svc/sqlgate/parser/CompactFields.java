package svc.sqlgate.parser;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * The fields of one node of a tree, in their order. Most nodes have one or two fields, for which a hash table takes six
 * times as much memory; the grammar gives none of them so many that a search by comparison is slow.
 */
final class CompactFields extends AbstractMap<String, JsonNode> {
    private static final Object[] NONE = {};

    private String firstName;
    private JsonNode firstValue;

    /** Names and values of the others, in turn. */
    private Object[] others = NONE;

    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public JsonNode get(Object name) {
        int index = indexOf(name);
        return index < 0 ? null : value(index);
    }

    @Override
    public boolean containsKey(Object name) {
        return indexOf(name) >= 0;
    }

    @Override
    public JsonNode put(String name, JsonNode value) {
        int index = indexOf(name);
        if (index >= 0) {
            JsonNode before = value(index);
            set(index, name, value);
            return before;
        }
        int length = 2 * size;
        if (length > others.length) {
            others = Arrays.copyOf(others, Math.max(length, 2 * others.length));
        }
        set(size++, name, value);
        return null;
    }

    private int indexOf(Object name) {
        for (int i = 0; i < size; i++) {
            if (name(i).equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private String name(int index) {
        return index == 0 ? firstName : (String) others[2 * index - 2];
    }

    private JsonNode value(int index) {
        return index == 0 ? firstValue : (JsonNode) others[2 * index - 1];
    }

    private void set(int index, String name, JsonNode value) {
        if (index == 0) {
            firstName = name;
            firstValue = value;
        } else {
            others[2 * index - 2] = name;
            others[2 * index - 1] = value;
        }
    }

    @Override
    public Set<Map.Entry<String, JsonNode>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<Map.Entry<String, JsonNode>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, JsonNode>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public Map.Entry<String, JsonNode> next() {
            if (next >= size) {
                throw new NoSuchElementException();
            }
            var entry = Map.entry(name(next), value(next));
            next++;
            return entry;
        }
    }
}
