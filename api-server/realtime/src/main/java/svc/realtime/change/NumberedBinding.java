package svc.realtime.change;

/**
 * A binding with the number by which the client knows it.
 *
 * @param id positive; equal bindings of a channel share one
 */
public record NumberedBinding(int id, ChangeBinding binding) {}
