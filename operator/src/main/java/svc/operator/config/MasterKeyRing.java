package svc.operator.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.operator.config.OperatorConfig.MasterKeySource;

/**
 * Reads the configured master keys. A missing or malformed key stops the start: every project's keys would be wrong without
 * it. The message names the version, never the key.
 */
public final class MasterKeyRing {
    private static final int MIN_BYTES = 32;

    private MasterKeyRing() {}

    /** @throws IllegalStateException when no key is configured or one is invalid */
    public static MasterKeys read(Map<Integer, MasterKeySource> sources) {
        if (sources.isEmpty()) {
            throw new IllegalStateException(
                    "no master key is configured: set svc.master-keys.1.file, or svc.installation.master-key-secret");
        }
        List<MasterKey> keys = new ArrayList<>();
        sources.forEach((version, source) -> keys.add(MasterKey.of(version, bytes(version, text(version, source)))));
        return MasterKeys.of(keys);
    }

    /**
     * Reads the data of a Secret.
     *
     * @param data decoded: the version and the key in base64; other entries are refused
     * @throws IllegalStateException as above
     */
    public static MasterKeys read(String secret, Map<String, String> data) {
        if (data.isEmpty()) {
            throw new IllegalStateException("the Secret " + secret + " holds no master key: add one under the key 1");
        }
        List<MasterKey> keys = new ArrayList<>();
        new TreeMap<>(data).forEach((name, text) -> {
            if (!name.matches("[1-9][0-9]{0,8}")) {
                throw new IllegalStateException("the Secret " + secret + " has the key " + name
                        + ", which is not the version of a master key: use a number from 1");
            }
            int version = Integer.parseInt(name);
            keys.add(MasterKey.of(version, bytes(version, text)));
        });
        return MasterKeys.of(keys);
    }

    private static String text(int version, MasterKeySource source) {
        if (source.file().isPresent() == source.value().isPresent()) {
            throw new IllegalStateException(
                    "master key " + version + " needs exactly one of svc.master-keys." + version + ".file and .value");
        }
        return source.file()
                .map(file -> {
                    try {
                        return Files.readString(file);
                    } catch (IOException e) {
                        throw new UncheckedIOException("while reading master key " + version, e);
                    }
                })
                .or(source::value)
                .orElseThrow();
    }

    private static byte[] bytes(int version, String text) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            // Omits the cause on purpose: the decoder's message quotes a character of the key.
            throw new IllegalStateException("master key " + version + " is not base64");
        }
        if (bytes.length < MIN_BYTES) {
            throw new IllegalStateException("master key " + version + " has fewer than " + MIN_BYTES + " bytes");
        }
        return bytes;
    }
}
