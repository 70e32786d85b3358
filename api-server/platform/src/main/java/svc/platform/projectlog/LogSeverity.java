package svc.platform.projectlog;

import java.util.Locale;

/** How severe a line is; the database holds the ordinal. */
public enum LogSeverity {
    DEBUG,
    INFO,
    WARN,
    ERROR;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a request, by the status of its answer. */
    public static LogSeverity ofStatus(int status) {
        if (status >= 500) {
            return ERROR;
        }
        return status >= 400 ? WARN : INFO;
    }
}
