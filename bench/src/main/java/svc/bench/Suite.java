package svc.e2e.bench;

import java.util.List;

/** One group of figures that share their set-up. */
interface Suite {
    /** The word that selects it: {@code ./svc bench <name>}. */
    String name();

    /** Measures; every server it starts is stopped again when it returns. */
    List<Figure> run() throws Exception;
}
