package svc.realtime.reader;

/** The last message that was handed over in this process: reading again must not broadcast it again. */
final class HandedMessages {
    private LogPosition last = LogPosition.START;

    boolean isNew(LogPosition position) {
        if (!position.isAfter(last)) {
            return false;
        }
        last = position;
        return true;
    }
}
