package svc.platform.projectlog;

import java.util.regex.Pattern;

/**
 * Replaces what looks like a credential in the text of a line: keys and tokens of the platform, JSON web tokens, bearer
 * tokens, passwords in addresses, and parameters that carry a token. A function may print what it was called with.
 */
public final class SecretMask {
    private static final String MASK = "[secret]";

    private static final Pattern SECRET =
            Pattern.compile("(?:svc_[a-z]{2,12}_|sbp_|sb_(?:secret|publishable)_)[A-Za-z0-9_-]{12,}+"
                    + "|eyJ[A-Za-z0-9_-]{6,}+\\.[A-Za-z0-9_-]++(?:\\.[A-Za-z0-9_-]*+)?"
                    + "|(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}+"
                    + "|(?<=://)[^\\s/:@]{1,64}+:[^\\s/@]{1,256}+(?=@)"
                    + "|(?<=[?&](?:token|apikey)=)[^&\\s\"']++"
                    + "|(?<=[?&](?:access_token|refresh_token|token_hash|code|secret|password)=)[^&\\s\"']++");

    private SecretMask() {}

    public static String of(String text) {
        return mayHold(text) ? SECRET.matcher(text).replaceAll(MASK) : text;
    }

    /** Most lines hold none of the characters that each of them needs. */
    private static boolean mayHold(String text) {
        return text.indexOf('_') >= 0
                || text.indexOf('=') >= 0
                || text.indexOf('@') >= 0
                || text.contains("eyJ")
                || text.contains("earer ");
    }
}
