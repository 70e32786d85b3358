package svc.management.advisor;

import java.util.ArrayDeque;
import java.util.Deque;

/** Subselects without tables, which PostgreSQL evaluates once for a statement. Pure, and linear in the text. */
final class ScalarSelects {
    private static final String SELECT = "select";
    private static final String FROM = "from";

    private ScalarSelects() {}

    /** A bracket that is open. */
    private static final class Bracket {
        private final int begin;
        private final boolean select;
        private boolean readsTable;

        Bracket(int begin, boolean select) {
            this.begin = begin;
            this.select = select;
        }
    }

    /** The expression without those subselects, whatever they are nested in. */
    static String removed(String expression) {
        var kept = new StringBuilder(expression.length());
        Deque<Bracket> open = new ArrayDeque<>();
        for (int at = 0; at < expression.length(); at++) {
            char c = expression.charAt(at);
            if (c == '(') {
                open.push(new Bracket(kept.length(), beginsSelect(expression, at + 1)));
            } else if (c == ')' && !open.isEmpty()) {
                Bracket closed = open.pop();
                if (closed.select && !closed.readsTable) {
                    kept.setLength(closed.begin);
                    continue;
                }
                markTable(open, closed.readsTable);
            } else {
                markTable(open, isWord(expression, at, FROM));
            }
            kept.append(c);
        }
        return kept.toString();
    }

    private static void markTable(Deque<Bracket> open, boolean readsTable) {
        if (readsTable && !open.isEmpty()) {
            open.peek().readsTable = true;
        }
    }

    private static boolean beginsSelect(String expression, int after) {
        int at = after;
        while (at < expression.length() && Character.isWhitespace(expression.charAt(at))) {
            at++;
        }
        return expression.regionMatches(true, at, SELECT, 0, SELECT.length())
                && isBlank(expression, at + SELECT.length());
    }

    private static boolean isWord(String expression, int at, String word) {
        return isBlank(expression, at - 1)
                && expression.regionMatches(true, at, word, 0, word.length())
                && isBlank(expression, at + word.length());
    }

    private static boolean isBlank(String expression, int at) {
        return at >= 0 && at < expression.length() && Character.isWhitespace(expression.charAt(at));
    }
}
