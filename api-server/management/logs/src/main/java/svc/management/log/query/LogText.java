package svc.management.log.query;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * What of ClickHouse's and BigQuery's spelling PostgreSQL's grammar does not read, respelled outside of quotes: {@code INTERVAL 1
 * HOUR}, and names in backticks. The result is read like any other text, so this need not be exact.
 */
public final class LogText {
    private static final Pattern PART = Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"|`([A-Za-z_][A-Za-z0-9_]{0,60})`"
            + "|\\b(?i:interval)\\s+([0-9]{1,6})\\s+((?i:second|minute|hour|day|week))s?\\b");

    private LogText() {}

    public static String respelled(String sql) {
        Matcher part = PART.matcher(sql);
        var text = new StringBuilder();
        while (part.find()) {
            part.appendReplacement(text, Matcher.quoteReplacement(respelled(part)));
        }
        return part.appendTail(text).toString();
    }

    private static String respelled(Matcher part) {
        if (part.group(1) != null) {
            return '"' + part.group(1) + '"';
        }
        return part.group(2) == null ? part.group() : "interval '" + part.group(2) + " " + part.group(3) + "'";
    }
}
