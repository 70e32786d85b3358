package svc.management.postgres;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The settings that a client names in its startup message. Pure. */
final class StartupSettings {
    /** {@code -c name=value}, {@code -cname=value} or {@code --name=value}; a backslash keeps a blank in a value. */
    private static final Pattern OPTION =
            Pattern.compile("\\s*(?:-c\\s*|--)([A-Za-z_][A-Za-z0-9_.-]*)=((?:[^\\s\\\\]|\\\\.)*)");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private StartupSettings() {}

    /** Whether options are nothing but settings that a client may begin with. */
    static boolean areSettings(String options) {
        Matcher option = OPTION.matcher(options);
        int end = 0;
        while (end < options.length() && option.find(end) && option.start() == end) {
            if (statement(name(option), value(option)).isEmpty()) {
                return false;
            }
            end = option.end();
        }
        return options.substring(end).isBlank();
    }

    private static String name(Matcher option) {
        return option.group(1).replace('-', '_');
    }

    private static String value(Matcher option) {
        return ESCAPED.matcher(option.group(2)).replaceAll("$1");
    }

    private static Optional<LocalStatement> statement(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("search_path") && SettingStatements.isInForce(LocalStatementReader.schemas(value))
                ? Optional.of(new LocalStatement.Accepted("SET"))
                : ClientSettings.statement(lower, Optional.of(value), false);
    }

    /**
     * What a startup message sets. A parameter that is not known is left out: a driver may name those of servers other than
     * this one.
     */
    static List<LocalStatement> of(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        Matcher option = OPTION.matcher(parameters.getOrDefault("options", ""));
        while (option.find()) {
            all.put(name(option), value(option));
        }
        all.putAll(parameters);
        List<LocalStatement> settings = new ArrayList<>();
        all.forEach((name, value) -> statement(name, value).ifPresent(settings::add));
        return settings;
    }
}
