package svc.management.postgres;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The settings that a client names in its startup message. Pure. */
final class StartupSettings {
    /** {@code -c name=value}, {@code -cname=value} or {@code --name=value}; a backslash keeps a blank in a value. */
    private static final Pattern OPTION =
            Pattern.compile("\\s*(?:-c\\s*|--)([A-Za-z_][A-Za-z0-9_.-]*)=((?:[^\\s\\\\]|\\\\.)*)");

    private StartupSettings() {}

    /** Whether options are nothing but settings. */
    static boolean areSettings(String options) {
        Matcher option = OPTION.matcher(options);
        int end = 0;
        while (end < options.length() && option.find(end) && option.start() == end) {
            end = option.end();
        }
        return options.substring(end).isBlank();
    }

    /**
     * Settings by their names, those that have no effect here left out. What is not known is left out as well: a driver may
     * name parameters of servers other than this one.
     */
    static Map<String, String> of(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        Matcher option = OPTION.matcher(parameters.getOrDefault("options", ""));
        while (option.find()) {
            all.put(option.group(1).replace('-', '_'), option.group(2).replaceAll("\\\\(.)", "$1"));
        }
        all.putAll(parameters);
        Map<String, String> settings = new LinkedHashMap<>();
        all.forEach((name, value) -> ClientSettings.statement(name.toLowerCase(Locale.ROOT), Optional.of(value), false)
                .ifPresent(found -> {
                    if (found instanceof LocalStatement.Setting setting) {
                        settings.put(setting.name(), value);
                    }
                }));
        return settings;
    }
}
