package svc.management.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ResultRows.Column;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.StatementResult;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.SupabaseAliases;

/**
 * Results with Supabase's names of the project's schemas and roles, for tools that compare what they read with what they wrote. Pure.
 *
 * <p>Values of PostgreSQL's own types for names are names wherever they come from. A text is data, unless its statement reads the
 * catalog alone. Linear in the rows.
 */
final class FamiliarResults {
    private static final int BINARY = 1;

    /** name, regproc, regprocedure, regoper, regoperator, regclass, regtype, regconfig, regdictionary, regnamespace, regrole,
     * regcollation, aclitem. */
    private static final Set<Integer> NAMES =
            Set.of(19, 24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191, 1033);

    /** Of name, aclitem, regproc, regclass, regtype. */
    private static final Set<Integer> NAME_ARRAYS = Set.of(1003, 1034, 1008, 2210, 2211);

    /** text, varchar, json, jsonb, xml, and what has no type. */
    private static final Set<Integer> TEXTS = Set.of(25, 1043, 114, 3802, 142, 705);

    /** Of text, varchar. */
    private static final Set<Integer> TEXT_ARRAYS = Set.of(1009, 1015);

    /** Of those above, the ones whose binary format holds no text but numbers of objects, or does not exist. */
    private static final Set<Integer> NUMBERS =
            Set.of(24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191, 1033, 1034, 1008, 2210, 2211);

    private static final byte[] PROJECT = "proj_".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PLATFORM = "svc_".getBytes(StandardCharsets.US_ASCII);

    private final SupabaseAliases names;

    private FamiliarResults(SupabaseAliases names) {
        this.names = names;
    }

    /** How the values of a column are written. */
    private enum Form {
        AS_IT_IS,
        TEXT,
        BINARY_ARRAY
    }

    /** The results of a script, its statements numbered as the gate has read them. */
    static ScriptOutcome.Committed of(ScriptOutcome.Committed committed, Verdict.Admitted admitted) {
        var results = new FamiliarResults(admitted.names());
        List<StatementResult> statements = new ArrayList<>();
        for (StatementResult result : committed.statements()) {
            boolean ofCatalog = admitted.ofCatalog().contains(statements.size() + 1);
            Optional<ResultRows> rows = result.rows().map(found -> results.rows(found, ofCatalog));
            statements.add(new StatementResult(result.tag(), rows));
        }
        return new ScriptOutcome.Committed(statements, committed.types());
    }

    private ResultRows rows(ResultRows rows, boolean ofCatalog) {
        List<Form> forms = new ArrayList<>();
        for (Column column : rows.columns()) {
            forms.add(form(column.typeOid(), isBinary(rows.formats(), forms.size()), ofCatalog));
        }
        if (forms.stream().allMatch(Form.AS_IT_IS::equals)) {
            return rows;
        }
        List<byte[][]> familiar = new ArrayList<>(rows.rows().size());
        for (byte[][] row : rows.rows()) {
            byte[][] values = new byte[row.length][];
            for (int i = 0; i < row.length; i++) {
                values[i] = row[i] == null ? null : value(row[i], forms.get(i));
            }
            familiar.add(values);
        }
        return new ResultRows(rows.columns(), familiar, rows.cut(), rows.formats());
    }

    private static boolean isBinary(List<Integer> formats, int column) {
        return !formats.isEmpty() && formats.get(formats.size() == 1 ? 0 : column) == BINARY;
    }

    private static Form form(int type, boolean binary, boolean ofCatalog) {
        boolean array = NAME_ARRAYS.contains(type) || ofCatalog && TEXT_ARRAYS.contains(type);
        boolean scalar = NAMES.contains(type) || ofCatalog && TEXTS.contains(type);
        if (!array && !scalar || binary && NUMBERS.contains(type)) {
            return Form.AS_IT_IS;
        }
        return array && binary ? Form.BINARY_ARRAY : Form.TEXT;
    }

    private byte[] value(byte[] value, Form form) {
        if (form == Form.AS_IT_IS || !mayHaveName(value)) {
            return value;
        }
        return form == Form.TEXT ? text(value) : array(value);
    }

    /** Few values have one, and those of a driver's first statements are thousands. */
    private static boolean mayHaveName(byte[] value) {
        for (int i = 0; i + PLATFORM.length < value.length; i++) {
            if (value[i] == PROJECT[0] && startsWith(value, i, PROJECT)
                    || value[i] == PLATFORM[0] && startsWith(value, i, PLATFORM)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] value, int from, byte[] start) {
        for (int i = 0; i < start.length; i++) {
            if (from + i >= value.length || value[from + i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    private byte[] text(byte[] value) {
        return names.toAliases(new String(value, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    /** PostgreSQL's array_send: number of dimensions, whether there are nulls, type, two numbers a dimension; elements with lengths. */
    private byte[] array(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        int head = Integer.BYTES * (3 + 2 * in.getInt(0));
        List<byte[]> elements = new ArrayList<>();
        in.position(head);
        int size = head;
        while (in.hasRemaining()) {
            int length = in.getInt();
            byte[] element = null;
            if (length >= 0) {
                element = new byte[length];
                in.get(element);
                element = text(element);
                size += element.length;
            }
            size += Integer.BYTES;
            elements.add(element);
        }
        ByteBuffer out = ByteBuffer.allocate(size).put(value, 0, head);
        for (byte[] element : elements) {
            out.putInt(element == null ? -1 : element.length);
            if (element != null) {
                out.put(element);
            }
        }
        return out.array();
    }
}
