package svc.realtime.filter;

/** SQL's LIKE over characters, with the backslash as escape. Its time is the product of both lengths at most. */
final class LikePattern {
    private LikePattern() {}

    static boolean matches(String pattern, String text) {
        int[] wanted = pattern.codePoints().toArray();
        int[] given = text.codePoints().toArray();
        int p = 0;
        int t = 0;
        int resumePattern = -1;
        int resumeText = 0;
        while (t < given.length) {
            if (p < wanted.length && wanted[p] == '%') {
                resumePattern = ++p;
                resumeText = t;
            } else if (p < wanted.length && fits(wanted, p, given[t])) {
                p += wanted[p] == '\\' ? 2 : 1;
                t++;
            } else if (resumePattern >= 0) {
                p = resumePattern;
                t = ++resumeText;
            } else {
                return false;
            }
        }
        while (p < wanted.length && wanted[p] == '%') {
            p++;
        }
        return p == wanted.length;
    }

    private static boolean fits(int[] wanted, int at, int character) {
        return wanted[at] == '\\' ? wanted[at + 1] == character : wanted[at] == '_' || wanted[at] == character;
    }
}
