package svc.postgres;

import com.google.errorprone.annotations.CompileTimeConstant;

/**
 * A parameter that holds for one transaction only. Name and value travel as binds of {@code set_config}.
 *
 * @param name as the program knows it; never from a request
 */
public record Setting(String name, String value) {
    public static Setting of(@CompileTimeConstant final String name, String value) {
        return new Setting(name, value);
    }

    /** Values may be claims or headers: not for a log. */
    @Override
    public String toString() {
        return name;
    }
}
