package svc.management;

import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;

/** The password of the control plane's login: derived, or configured. */
public final class PlatformPassword {
    /** The key version of the platform's logins; raise it to rotate their passwords. */
    private static final int LOGIN_VERSION = 1;

    private PlatformPassword() {}

    /** @throws IllegalStateException if this process has neither the root key nor a password */
    public static String of(ApiConfig config, PurposeRoots roots) {
        return config.platform().password().orElseGet(() -> derived(roots));
    }

    private static String derived(PurposeRoots roots) {
        return roots.newest(Purpose.LOGIN_PLATFORM)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow(() -> new IllegalStateException(
                        "the control plane needs the root key login-svc-platform (see svc.api.keys) or a password"));
    }
}
