package svc.platform.config;

import java.util.List;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;

/** Where the roots of login passwords, and of what sessions are given, come from. */
@FunctionalInterface
public interface LoginRoots {
    /** @throws IllegalStateException when this process was not given the root */
    PurposeRoot require(Purpose purpose, int masterKeyVersion);

    /** Those of one purpose under all master keys; none when this process was given none. */
    default List<PurposeRoot> all(Purpose purpose) {
        return List.of();
    }
}
