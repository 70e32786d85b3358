package svc.sqlgate.lexical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.sqlgate.SharedGate;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.Statement;

/** A script counts as read when all readers read it alike. */
class ConsensusParserTest {
    private static final ConsensusParser READER = new ConsensusParser(SharedGate.reader());

    static final String[] SINGLE = {
        "SELECT E'\\' ; it''s'",
        "SELECT '\\' AS \"a;b\" -- ; SELECT 2",
        "SELECT $a$;$$;$a$ /* ; /* ; */ ; */",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END",
        "CREATE PROCEDURE f() LANGUAGE sql Begin -- c\n ATOMIC; SELECT 1; END",
        "CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2;)",
        "SELECT 'ä😀', U&'d\\0061t', U&\"d!0061t\" UESCAPE '!'",
    };

    @ParameterizedTest
    @FieldSource("SINGLE")
    void readsOneStatementWithSemicolonsInside(String sql) {
        assertThat(READER.parse(sql))
                .isInstanceOfSatisfying(
                        ParseResult.Parsed.class,
                        parsed -> assertThat(parsed.statements()).hasSize(1));
        assertThat(READER.parse(";" + sql + "\n; ;SELECT 'é';"))
                .isInstanceOfSatisfying(
                        ParseResult.Parsed.class,
                        parsed -> assertThat(parsed.statements())
                                .extracting(Statement::text)
                                .hasSize(2)
                                .last()
                                .isEqualTo("SELECT 'é'"));
    }

    @Test
    void readsAnEmptyScript() {
        assertThat(READER.parse("")).isEqualTo(new ParseResult.Parsed(List.of()));
        assertThat(READER.parse(" ; -- c\n;/**/")).isEqualTo(new ParseResult.Parsed(List.of()));
    }

    @Test
    void tellsWhereTheReadersPart() {
        assertThat(READER.parse("SELECT 'ä';\nDO LANGUAGE 'plpgsql' -- \n 'BEGIN END'"))
                .isEqualTo(new ParseResult.Unparseable("it can be read in two ways from here on", 25));
    }

    @Test
    void tellsWhereATokenDoesNotEnd() {
        assertThat(READER.parse("SELECT 'ä', $x$ ; SELECT 2"))
                .isEqualTo(new ParseResult.Unparseable("unterminated dollar-quoted string", 13));
    }

    @Test
    void keepsTheGrammarsOwnRefusals() {
        assertThat(READER.parse("SELECT 'ä' frm x y"))
                .isEqualTo(new ParseResult.Unparseable("syntax error at or near \"x\"", 16));
        assertThat(READER.parse("SELECT E'\\xff'")).isInstanceOf(ParseResult.Unparseable.class);
        assertThat(READER.parse("SELECT E'\\u00'")).isInstanceOf(ParseResult.Unparseable.class);
    }
}
