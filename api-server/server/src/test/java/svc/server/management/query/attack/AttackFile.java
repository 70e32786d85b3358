package svc.server.management.query.attack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import svc.server.management.query.attack.Attack.Act;
import svc.server.management.query.attack.Attack.Step;

/**
 * Reads a family of attacks. {@code == name} begins an attack, {@code >> act argument} a step, the lines after it are its
 * text. {@code * expectation | SQL} is an attack of one call that is named by its SQL; {@code *read} and {@code *all} say
 * another act than {@code run}. Lines that begin with {@code #}
 * before a step are remarks.
 */
final class AttackFile {
    private final String family;
    private final List<Attack> attacks = new ArrayList<>();
    private String name;
    private List<Step> steps = new ArrayList<>();
    private String head;
    private final StringBuilder text = new StringBuilder();

    private AttackFile(String family) {
        this.family = family;
    }

    /** @param family the resource's name without its ending */
    static List<Attack> read(String family) {
        var file = new AttackFile(family);
        resource(family + ".attacks").lines().forEach(file::line);
        file.endAttack();
        return file.attacks;
    }

    /** A resource of this package as text. */
    static String resource(String name) {
        try (InputStream stream = AttackFile.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException("there is no resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + name, e);
        }
    }

    private void line(String line) {
        if (line.startsWith("== ")) {
            endAttack();
            name = line.substring(3);
        } else if (line.startsWith("*")) {
            single(line.substring(1));
        } else if (line.startsWith(">> ")) {
            endStep();
            head = line.substring(3);
        } else if (head != null) {
            text.append(text.isEmpty() ? "" : "\n").append(line);
        } else if (!line.isBlank() && !line.startsWith("#")) {
            throw new IllegalArgumentException(family + ": a line outside of a step: " + line);
        }
    }

    private void single(String line) {
        endAttack();
        String[] parts = line.split(" ", 2);
        Act act = parts[0].isEmpty() ? Act.RUN : Act.valueOf(parts[0].toUpperCase(Locale.ROOT));
        String[] call = parts[1].split(" \\| ", 2);
        attacks.add(new Attack(family, call[1], List.of(new Step(act, call[0].strip(), call[1]))));
    }

    private void endStep() {
        if (head != null) {
            String[] parts = head.split(" ", 2);
            steps.add(new Step(
                    Act.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                    parts.length == 1 ? "" : parts[1].strip(),
                    text.toString().stripTrailing()));
        }
        head = null;
        text.setLength(0);
    }

    private void endAttack() {
        endStep();
        if (name != null) {
            if (steps.isEmpty()) {
                throw new IllegalArgumentException(family + ": an attack that does nothing: " + name);
            }
            attacks.add(new Attack(family, name, steps));
        }
        name = null;
        steps = new ArrayList<>();
    }
}
