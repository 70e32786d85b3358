package svc.bench.measure;

import java.util.List;

/** One group of figures that share their set-up. */
public interface Suite {
    /** The word that selects it: {@code ./svc bench <name>}. */
    String name();

    /** Measures; every server it starts is stopped again when it returns. */
    List<Figure> run() throws Exception;
}
