package svc.management.query.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome.Committed;
import svc.postgres.script.StatementResult;

/**
 * Renders the results of a script as JSON, with values as {@code row_to_json} renders them: composites are objects, NaN
 * and the infinities strings, numbers keep all digits. Rows beyond the limit are dropped and reported as cut.
 */
public final class RowsAsJson {
    private static final JsonFactory JSON = new JsonFactory();

    private final BoundedBytes bytes;
    private final TypeShapes shapes;
    private int rows;
    private boolean cut;

    private RowsAsJson(Committed committed, long limit) {
        this.bytes = new BoundedBytes(limit);
        this.shapes = new TypeShapes(committed.types());
    }

    /**
     * A rendered response.
     *
     * @param json UTF-8
     * @param rows number of rows in it
     * @param cut whether rows were dropped
     */
    public record Rendered(byte[] json, int rows, boolean cut) {}

    /**
     * The rows of the last statement that returned rows, as an array of objects; {@code []} if none did. A column name
     * that occurs twice occurs twice in the object, as in {@code row_to_json}.
     *
     * @param limit maximum size in bytes
     */
    public static Rendered last(Committed committed, long limit) {
        var answer = new RowsAsJson(committed, limit);
        committed.rows().ifPresentOrElse(answer::array, () -> answer.bytes.close("[]"));
        return answer.rendered();
    }

    /**
     * Every statement as {@code {"command", "rowCount", "rows", "cut"}}: the count is null for a command without one;
     * rows and cut exist only for a statement that returns rows.
     *
     * @param limit maximum size of all rows in bytes
     */
    public static Rendered all(Committed committed, long limit) {
        var answer = new RowsAsJson(committed, limit);
        String before = "[";
        for (StatementResult statement : committed.statements()) {
            answer.bytes.close(before);
            answer.statement(statement);
            before = ",";
        }
        answer.bytes.close(committed.statements().isEmpty() ? "[]" : "]");
        return answer.rendered();
    }

    private Rendered rendered() {
        return new Rendered(bytes.content(), rows, cut);
    }

    private void statement(StatementResult statement) {
        // A command tag needs no escaping.
        bytes.close("{\"command\":\"" + statement.command() + "\",\"rowCount\":"
                + (statement.rowCount().isPresent() ? statement.rowCount().getAsLong() : "null"));
        Optional<ResultRows> result = statement.rows();
        if (result.isPresent()) {
            bytes.close(",\"rows\":");
            boolean whole = array(result.get());
            bytes.close(",\"cut\":" + !whole);
        }
        bytes.close("}");
    }

    /** @return whether all rows fit */
    private boolean array(ResultRows result) {
        bytes.close("[");
        boolean whole = objects(result) && !result.cut();
        bytes.close("]");
        cut = cut || !whole;
        return whole;
    }

    private boolean objects(ResultRows result) {
        Shape[] types = result.columns().stream()
                .map(column -> shapes.of(column.typeOid()))
                .toArray(Shape[]::new);
        int end = bytes.size();
        try {
            // Not closed: it holds only a buffer, and closing would write after a row was rolled back.
            JsonGenerator json = JSON.createGenerator(bytes);
            json.setRootValueSeparator(new SerializedString(""));
            for (int i = 0; i < result.rows().size(); i++) {
                if (i > 0) {
                    bytes.write(',');
                }
                object(json, result.columns(), types, result.rows().get(i));
                json.flush();
                end = bytes.size();
                rows++;
            }
            return true;
        } catch (BoundedBytes.FullException full) {
            bytes.shorten(end);
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("while rendering rows", e);
        }
    }

    private static void object(JsonGenerator json, List<ResultRows.Column> columns, Shape[] types, byte[][] row)
            throws IOException {
        json.writeStartObject();
        for (int i = 0; i < row.length; i++) {
            json.writeFieldName(columns.get(i).name());
            ValueAsJson.write(json, types[i], row[i] == null ? null : new String(row[i], StandardCharsets.UTF_8));
        }
        json.writeEndObject();
    }
}
