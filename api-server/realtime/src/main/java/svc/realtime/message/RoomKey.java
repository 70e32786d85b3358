package svc.realtime.message;

/** A room of a project: public and private channels of one topic do not meet. */
public record RoomKey(String topic, boolean isPrivate) {}
