package svc.bench.realtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import svc.bench.measure.AuthProject;

/**
 * Many clients of the realtime service of one project, as one process and one thread can be: sockets, heartbeats and the
 * times of what arrives. A message that is measured carries {@code "t":} and {@link System#nanoTime} of its beginning in this
 * process. Used by one thread, which drives all of them.
 */
final class RealtimeClients implements AutoCloseable {
    private static final int AT_ONCE = 64;
    private static final long HEARTBEAT_NANOS = 25_000_000_000L;
    private static final long OPENING_NANOS = 120_000_000_000L;
    private static final int MASKED = 0x80;
    private static final int TEXT = 0x81;
    private static final int CLOSE = 8;
    private static final int SHORT = 126;
    private static final byte[] NOTHING = {};

    private final InetSocketAddress platform;
    private final byte[] handshake;
    private final Selector selector = Selector.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 20);
    private final List<Client> clients = new ArrayList<>();
    private final RealtimeTally tally = new RealtimeTally();
    private int opened;
    private int beating;
    private long beatingSince;

    /** One socket. */
    private static final class Client {
        private final SocketChannel channel;
        private boolean open;
        private byte[] rest = NOTHING;

        Client(SocketChannel channel) {
            this.channel = channel;
        }
    }

    RealtimeClients(URI gateway, AuthProject project) throws IOException {
        platform = new InetSocketAddress(gateway.getHost(), gateway.getPort());
        handshake = ("GET /realtime/v1/websocket?vsn=2.0.0&apikey=" + project.key() + " HTTP/1.1\r\nHost: "
                        + project.host()
                        + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    RealtimeTally tally() {
        return tally;
    }

    int count() {
        return clients.size();
    }

    /** Opens so many more. @throws IOException when one is refused */
    void open(int count) throws IOException {
        int all = clients.size() + count;
        long end = System.nanoTime() + OPENING_NANOS;
        while (opened < all) {
            while (clients.size() < all && clients.size() - opened < AT_ONCE) {
                connect();
            }
            turn(10);
            if (System.nanoTime() > end) {
                throw new IOException("only " + opened + " of " + all + " sockets were opened");
            }
        }
    }

    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        Client client = new Client(channel);
        clients.add(client);
        channel.connect(platform);
        channel.register(selector, SelectionKey.OP_CONNECT, client);
    }

    /** Sends a text; small ones alone fit into a socket that is not read at this moment. */
    void send(int client, String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 8).put((byte) TEXT);
        if (payload.length < SHORT) {
            frame.put((byte) (MASKED | payload.length));
        } else {
            frame.put((byte) (MASKED | SHORT)).putShort((short) payload.length);
        }
        // A mask of zeros is one, and leaves the bytes as they are.
        frame.putInt(0).put(payload).flip();
        while (frame.hasRemaining()) {
            if (clients.get(client).channel.write(frame) == 0) {
                turn(1);
            }
        }
    }

    /** Joins a topic. @param config JSON @param token empty for the credentials of the socket */
    void join(int client, String topic, String config, String token) throws IOException {
        String access = token.isEmpty() ? "" : ",\"access_token\":\"" + token + "\"";
        send(client, "[\"1\",\"1\",\"realtime:" + topic + "\",\"phx_join\",{\"config\":" + config + access + "}]");
    }

    /** Broadcasts the moment to a room. */
    void broadcast(int client, String topic, String filling) throws IOException {
        send(
                client,
                "[\"1\",null,\"realtime:" + topic
                        + "\",\"broadcast\",{\"type\":\"broadcast\",\"event\":\"e\",\"payload\":" + "{\"t\":"
                        + System.nanoTime() + ",\"text\":\"" + filling + "\"}}]");
    }

    /** From now on all clients that are open say once in 25 s that they are there. */
    void keepAlive() {
        beating = 0;
        beatingSince = System.nanoTime();
    }

    /** Reads what arrives until something is true. @throws IOException when it is not in time */
    void await(String what, long seconds, BooleanSupplier done) throws IOException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (!done.getAsBoolean()) {
            turn(1);
            if (System.nanoTime() > end) {
                throw new IOException("not in " + seconds + " s: " + what + "; so far " + tally);
            }
        }
    }

    /** Reads for a while. */
    void watch(double seconds) throws IOException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            turn(1);
        }
    }

    /** Reads what has arrived, and waits so long for it when there is nothing. */
    void turn(long millis) throws IOException {
        if (beatingSince != 0) {
            beat();
        }
        if ((millis == 0 ? selector.selectNow() : selector.select(millis)) == 0) {
            return;
        }
        for (SelectionKey key : selector.selectedKeys()) {
            Client client = (Client) key.attachment();
            if (key.isConnectable() && client.channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
                client.channel.write(ByteBuffer.wrap(handshake));
            } else if (key.isReadable()) {
                read(client, key);
            }
        }
        selector.selectedKeys().clear();
    }

    private void beat() throws IOException {
        long due = (System.nanoTime() - beatingSince) * clients.size() / HEARTBEAT_NANOS;
        for (; beating < due; beating++) {
            send(beating % clients.size(), "[null,\"1\",\"phoenix\",\"heartbeat\",{}]");
        }
    }

    private void read(Client client, SelectionKey key) throws IOException {
        in.clear().put(client.rest);
        if (client.channel.read(in) < 0) {
            key.cancel();
            throw new IOException("the platform has closed a socket; " + tally);
        }
        in.flip();
        if (!client.open && !opened(client)) {
            rest(client);
            return;
        }
        while (frame()) {
            // One after the other.
        }
        rest(client);
    }

    private void rest(Client client) {
        client.rest = in.hasRemaining() ? new byte[in.remaining()] : NOTHING;
        in.get(client.rest);
    }

    /** Whether the handshake is complete. */
    private boolean opened(Client client) throws IOException {
        String answer = StandardCharsets.ISO_8859_1.decode(in.duplicate()).toString();
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        if (!answer.startsWith("HTTP/1.1 101")) {
            throw new IOException("a handshake was refused: " + answer);
        }
        in.position(in.position() + end + 4);
        client.open = true;
        opened++;
        return true;
    }

    /** Takes one frame if it is complete. */
    private boolean frame() throws IOException {
        int start = in.position();
        if (in.remaining() < 2) {
            return false;
        }
        int kind = in.get() & 0x0f;
        int length = in.get();
        int more = length == SHORT ? 2 : length == SHORT + 1 ? 8 : 0;
        if (in.remaining() < more) {
            in.position(start);
            return false;
        }
        length = more == 2 ? in.getShort() & 0xffff : more == 8 ? (int) in.getLong() : length;
        if (in.remaining() < length) {
            in.position(start);
            return false;
        }
        if (kind == CLOSE) {
            throw new IOException("the platform closes a socket: "
                    + StandardCharsets.UTF_8.decode(in.slice(in.position() + 2, length - 2)) + "; " + tally);
        }
        tally.received(in, in.position(), length);
        in.position(in.position() + length);
        return true;
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.close();
        }
        selector.close();
    }
}
