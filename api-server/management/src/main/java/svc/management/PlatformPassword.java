package svc.management;

import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;

/** The password of the control plane's login: derived, or set by whoever runs the platform. */
public final class PlatformPassword {
    /** The version of the platform's logins; raised when their passwords are to change. */
    private static final int LOGIN_VERSION = 1;

    private PlatformPassword() {}

    /** @throws IllegalStateException when this process has neither the root nor a password */
    public static String of(ApiConfig config, PurposeRoots roots) {
        return config.platform().password().orElseGet(() -> derived(roots));
    }

    private static String derived(PurposeRoots roots) {
        return roots.newest(Purpose.LOGIN_PLATFORM)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow(() -> new IllegalStateException(
                        "a control plane needs the root login-svc-platform, see svc.api.keys, or a password"));
    }
}
