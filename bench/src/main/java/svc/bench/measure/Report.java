package svc.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a benchmark run leaves behind: a table for the reader, a JSON list for the next run. */
public record Report(List<Figure> figures) {
    private static final String ROW = "%-58s %12s %-6s %-22s %12s %8s  %-14s %s%n";

    public String table() {
        var table = new StringBuilder();
        table.append(ROW.formatted("figure", "value", "unit", "peer", "peer value", "ratio", "target", "met"));
        for (Figure figure : figures) {
            table.append(ROW.formatted(
                    figure.name(),
                    "%.2f".formatted(figure.value()),
                    figure.unit(),
                    figure.peer() == null ? "" : figure.peer(),
                    figure.peerValue() == null ? "" : "%.2f".formatted(figure.peerValue()),
                    figure.ratio() == null ? "" : "%.2f".formatted(figure.ratio()),
                    figure.target(),
                    figure.met() ? "yes" : "NO"));
        }
        return table.toString();
    }

    public void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), figures);
    }
}
