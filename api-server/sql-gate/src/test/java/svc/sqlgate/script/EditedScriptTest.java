package svc.sqlgate.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import svc.sqlgate.parser.SourceText.Place;

/** The text that is sent differs from what was written; the places in errors do not. */
class EditedScriptTest {
    private static final String SQL = "SELECT 'ä😀' FROM public.t;\nSELECT x FROM public.u";

    private static final EditedScript SCRIPT = edited(
            SQL,
            new Replacement(42, 48, "proj_0123"),
            new Replacement(18, 24, "proj_0123"),
            new Replacement(28, 28, "-- x\n"));

    private static EditedScript edited(String original, Replacement... edits) {
        try {
            return EditedScript.of(original, List.of(edits));
        } catch (OverlappingEditsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void replacesWhateverTheOrder() {
        assertThat(SCRIPT.text()).isEqualTo("SELECT 'ä😀' FROM proj_0123.t;\n-- x\nSELECT x FROM proj_0123.u");
    }

    @Test
    void tellsWhatIsSentForAPart() {
        assertThat(SCRIPT.sentFor(0, 26)).isEqualTo("SELECT 'ä😀' FROM proj_0123.t");
        assertThat(SCRIPT.sentFor(28, 50)).isEqualTo("-- x\nSELECT x FROM proj_0123.u");
        assertThat(SCRIPT.sentFor(35, 41)).isEqualTo("x FROM");
    }

    @Test
    void findsTheCallersPlace() {
        String sent = SCRIPT.text();
        for (String word : List.of("SELECT 'ä", ".t;", "SELECT x", ".u")) {
            int position = 1 + sent.codePointCount(0, sent.indexOf(word));
            int expected = 1 + SQL.codePointCount(0, SQL.indexOf(word));
            assertThat(SCRIPT.placeOf(position).position()).as(word).isEqualTo(expected);
        }
        assertThat(SCRIPT.placeOf(1 + sent.codePointCount(0, sent.indexOf("x FROM"))))
                .isEqualTo(new Place(2, 8, 35));
    }

    @Test
    void aPlaceInsideOfAReplacementIsWhereTheReplacedPartBegins() {
        String sent = SCRIPT.text();
        int inside = sent.lastIndexOf("proj_0123") + 5;
        assertThat(SCRIPT.originalUnit(inside)).isEqualTo(42);
        assertThat(SCRIPT.originalUnit(sent.length())).isEqualTo(SQL.length());
    }

    @Test
    void editsMayNotOverlap() {
        assertThatThrownBy(() -> EditedScript.of("abc", List.of(new Replacement(0, 2, ""), new Replacement(1, 3, ""))))
                .isInstanceOf(OverlappingEditsException.class);
    }

    @Test
    void aWiderEditTakesThoseInsideOfItButNoneThatItCuts() throws Exception {
        EditedScript once = edited("abcdef", new Replacement(1, 3, "xyz"));
        assertThat(once.replacing(List.of(new Replacement(0, 4, "-"))).text()).isEqualTo("-ef");
        assertThatThrownBy(() -> once.replacing(List.of(new Replacement(2, 5, "-"))))
                .isInstanceOf(OverlappingEditsException.class);
        assertThatThrownBy(() -> once.changed(List.of(new Replacement(0, 5, "-"), new Replacement(4, 7, "-"))))
                .isInstanceOf(OverlappingEditsException.class);
    }
}
