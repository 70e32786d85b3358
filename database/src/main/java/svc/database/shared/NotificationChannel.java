package svc.database.shared;

import java.sql.SQLException;
import java.util.List;
import svc.database.sql.Literal;

/** Sets the guard's notification channel. Never log its name: any login that knows it can LISTEN. */
final class NotificationChannel implements Section {
    private final String channel;

    NotificationChannel(String channel) {
        this.channel = channel;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        String current = session.value("SELECT value FROM svc_guard.setting WHERE name = 'notification_channel'");
        if (channel.equals(current)) {
            return List.of();
        }
        return List.of(Step.of(
                "setting notification_channel",
                "set",
                "INSERT INTO svc_guard.setting (name, value) VALUES ('notification_channel', "
                        + Literal.secret(channel).sql()
                        + ") ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value"));
    }
}
