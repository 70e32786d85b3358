package svc.rest.response;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Quotes the text {@code NULL} in CSV, which means null without quotes when it is sent back. Null itself is an empty field.
 * Linear in the length.
 */
final class CsvNulls {
    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

    private CsvNulls() {}

    static byte[] quoted(byte[] csv) {
        var out = new ByteArrayOutputStream(csv.length + 16);
        int copied = 0;
        boolean inQuotes = false;
        for (int at = 0; at < csv.length; at++) {
            inQuotes ^= csv[at] == '"';
            if (!inQuotes && begins(csv, at) && isNull(csv, at)) {
                out.write(csv, copied, at - copied);
                out.write('"');
                out.writeBytes(NULL);
                out.write('"');
                copied = at + NULL.length;
                at = copied - 1;
            }
        }
        if (copied == 0) {
            return csv;
        }
        out.write(csv, copied, csv.length - copied);
        return out.toByteArray();
    }

    private static boolean begins(byte[] csv, int at) {
        return at == 0 || csv[at - 1] == ',' || csv[at - 1] == '\n';
    }

    private static boolean isNull(byte[] csv, int at) {
        int end = at + NULL.length;
        return end <= csv.length
                && (end == csv.length || csv[end] == ',' || csv[end] == '\n')
                && csv[at] == NULL[0]
                && csv[at + 1] == NULL[1]
                && csv[at + 2] == NULL[2]
                && csv[at + 3] == NULL[3];
    }
}
