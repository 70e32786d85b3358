package svc.realtime.reader;

import java.util.function.LongSupplier;
import svc.postgres.replication.WalStream;

/**
 * An open stream of a slot, and what is known of its server.
 *
 * @param visible tells when what the stream has is visible to other sessions
 * @param kept log that the server keeps for the slot, in bytes: about what another stream reads before it sends something
 */
record OpenStream(WalStream stream, VisibleCommits visible, LongSupplier kept) {}
