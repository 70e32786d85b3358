package svc.platform.projectlog;

import java.util.List;

/**
 * Replaces what looks like a credential in the text of a line: keys and tokens of the platform, JSON web tokens, bearer
 * tokens, passwords in addresses, and parameters that carry a token. A function may print what it was called with.
 *
 * <p>One pass over the line: a backtracking expression would take the square of its length, and lines come from strangers.
 */
public final class SecretMask {
    private static final String MASK = "[secret]";

    private static final List<String> KEYS = List.of("sbp_", "sb_secret_", "sb_publishable_");
    private static final int MIN_KEY = 12;
    private static final int MIN_KIND = 2;
    private static final int MAX_KIND = 12;

    private static final String JSON_TOKEN = "eyJ";
    private static final int MIN_HEADER = 6;

    private static final List<String> BEARER = List.of("Bearer ", "bearer ");
    private static final int MIN_BEARER = 8;

    private static final String ADDRESS = "://";
    private static final int MAX_USER = 64;
    private static final int MAX_PASSWORD = 256;

    private static final List<String> PARAMETERS = List.of(
            "token=", "apikey=", "access_token=", "refresh_token=", "token_hash=", "code=", "secret=", "password=");

    private static final int NONE = -1;

    private final String text;

    /** No JSON web token begins before here, because the word up to here is none. */
    private int noJsonToken;

    private SecretMask(String text) {
        this.text = text;
    }

    public static String of(String text) {
        return mayHold(text) ? new SecretMask(text).masked() : text;
    }

    /** Most lines hold none of the characters that each of them needs. */
    private static boolean mayHold(String text) {
        return text.indexOf('_') >= 0
                || text.indexOf('=') >= 0
                || text.indexOf('@') >= 0
                || text.contains(JSON_TOKEN)
                || text.contains("earer ");
    }

    private String masked() {
        var out = new StringBuilder(text.length());
        int copied = 0;
        int at = 0;
        while (at < text.length()) {
            int end = endOfSecret(at);
            if (end == NONE) {
                at++;
            } else {
                out.append(text, copied, at).append(MASK);
                copied = end;
                at = end;
            }
        }
        return copied == 0 ? text : out.append(text, copied, text.length()).toString();
    }

    /** The end of a secret that begins here. */
    private int endOfSecret(int at) {
        int end = switch (text.charAt(at)) {
            case 's' -> endOfKey(at);
            case 'e' -> endOfJsonToken(at);
            default -> NONE;
        };
        if (end != NONE || at == 0) {
            return end;
        }
        return switch (text.charAt(at - 1)) {
            case ' ' -> isBehind(at, BEARER) ? endOfRun(at, SecretMask::isOfBearer, MIN_BEARER) : NONE;
            case '/' -> text.startsWith(ADDRESS, at - ADDRESS.length()) ? endOfPassword(at) : NONE;
            case '=' -> isValue(at) ? endOfRun(at, SecretMask::isOfValue, 1) : NONE;
            default -> NONE;
        };
    }

    private int endOfKey(int at) {
        for (String prefix : KEYS) {
            if (text.startsWith(prefix, at)) {
                return endOfRun(at + prefix.length(), SecretMask::isOfWord, MIN_KEY);
            }
        }
        if (!text.startsWith("svc_", at)) {
            return NONE;
        }
        int kind = at + 4;
        int end = kind;
        while (end < text.length() && end - kind <= MAX_KIND && isLower(text.charAt(end))) {
            end++;
        }
        boolean isKey = end - kind >= MIN_KIND && end - kind <= MAX_KIND && text.startsWith("_", end);
        return isKey ? endOfRun(end + 1, SecretMask::isOfWord, MIN_KEY) : NONE;
    }

    private int endOfJsonToken(int at) {
        if (at < noJsonToken || !text.startsWith(JSON_TOKEN, at)) {
            return NONE;
        }
        int header = end(at, SecretMask::isOfWord);
        int payload = text.startsWith(".", header) ? end(header + 1, SecretMask::isOfWord) : header;
        if (header - at < JSON_TOKEN.length() + MIN_HEADER || payload <= header + 1) {
            noJsonToken = header;
            return NONE;
        }
        return text.startsWith(".", payload) ? end(payload + 1, SecretMask::isOfWord) : payload;
    }

    /** A user and a password of an address, up to the sign before its host. */
    private int endOfPassword(int at) {
        int user = end(at, c -> !isBlank(c) && c != '/' && c != ':' && c != '@');
        if (user == at || user - at > MAX_USER || !text.startsWith(":", user)) {
            return NONE;
        }
        int password = end(user + 1, c -> !isBlank(c) && c != '/' && c != '@');
        boolean ends = password > user + 1 && password - user - 1 <= MAX_PASSWORD && text.startsWith("@", password);
        return ends ? password : NONE;
    }

    private boolean isValue(int at) {
        for (String name : PARAMETERS) {
            int before = at - name.length() - 1;
            if (before >= 0
                    && text.startsWith(name, before + 1)
                    && (text.charAt(before) == '?' || text.charAt(before) == '&')) {
                return true;
            }
        }
        return false;
    }

    private boolean isBehind(int at, List<String> words) {
        return words.stream().anyMatch(word -> text.startsWith(word, at - word.length()));
    }

    @FunctionalInterface
    private interface CharacterClass {
        boolean has(char c);
    }

    /** The end of the characters of a class from here on, if they are so many. */
    private int endOfRun(int start, CharacterClass characters, int min) {
        int end = end(start, characters);
        return end - start >= min ? end : NONE;
    }

    private int end(int start, CharacterClass characters) {
        int end = start;
        while (end < text.length() && characters.has(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isOfWord(char c) {
        return isLower(c) || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-';
    }

    private static boolean isOfBearer(char c) {
        return isOfWord(c) || ".~+/=".indexOf(c) >= 0;
    }

    private static boolean isOfValue(char c) {
        return !isBlank(c) && "&\"'".indexOf(c) < 0;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }
}
