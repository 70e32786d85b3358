package svc.graphql.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A project cannot take the others' part of the cache. */
class SharedCacheTest {
    private record Key(String project, int number) {}

    private static SharedCache<Key, String> cache() {
        return new SharedCache<>(1_000, Key::project, (key, value) -> value.length());
    }

    @Test
    void aProjectThatExceedsItsShareLosesItsOwn() {
        SharedCache<Key, String> cache = cache();
        cache.put(new Key("quiet", 1), "x".repeat(200));
        for (int i = 0; i < 1_000; i++) {
            cache.put(new Key("loud", i), "y".repeat(50));
        }
        assertThat(cache.getIfPresent(new Key("quiet", 1))).isPresent();
        assertThat(cache.getIfPresent(new Key("loud", 999))).isPresent();
        assertThat(cache.getIfPresent(new Key("loud", 0))).isEmpty();
    }

    @Test
    void replacedAndRemovedEntriesGiveTheirBytesBack() {
        SharedCache<Key, String> cache = cache();
        cache.put(new Key("a", 0), "kept".repeat(10));
        for (int i = 0; i < 100; i++) {
            cache.put(new Key("a", 1), "x".repeat(100));
            cache.put(new Key("a", 2), "x".repeat(100));
            cache.removeIf(key -> key.number() == 2);
        }
        assertThat(cache.getIfPresent(new Key("a", 0))).isPresent();
        assertThat(cache.getIfPresent(new Key("a", 1))).isPresent();
    }

    @Test
    void aProjectMayHaveMoreThanItsShareWhileThereIsRoom() {
        SharedCache<Key, String> cache = cache();
        cache.put(new Key("a", 1), "x".repeat(300));
        cache.put(new Key("a", 2), "x".repeat(300));
        assertThat(cache.getIfPresent(new Key("a", 1))).isPresent();
        assertThat(cache.getIfPresent(new Key("a", 2))).isPresent();
        cache.put(new Key("b", 1), "x".repeat(200));
        cache.put(new Key("a", 3), "x".repeat(200));
        assertThat(cache.getIfPresent(new Key("a", 1))).isEmpty();
        assertThat(cache.getIfPresent(new Key("a", 3))).isPresent();
        assertThat(cache.getIfPresent(new Key("b", 1))).isPresent();
    }
}
