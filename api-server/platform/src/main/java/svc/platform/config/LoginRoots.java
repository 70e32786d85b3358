package svc.platform.config;

import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;

/** Where the roots of login passwords come from. */
@FunctionalInterface
public interface LoginRoots {
    /** @throws IllegalStateException when this process was not given the root */
    PurposeRoot require(Purpose purpose, int masterKeyVersion);
}
