package svc.chart.node;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The cluster's name server: one address for a name, or none (RFC 1035). */
final class Names implements AutoCloseable {
    private static final int PORT = 53;
    private static final int MAX_MESSAGE = 512;
    private static final int HEADER_BYTES = 12;
    private static final int TYPE_A = 1;
    private static final int CLASS_INTERNET = 1;
    private static final int ANSWERED = 0x8580;
    private static final int NO_SUCH_NAME = 0x8583;
    private static final int POINTER_TO_THE_QUESTION = 0xC00C;
    private static final int SECONDS = 5;

    private final DatagramSocket socket;

    /** @param addresses of a name in lower case, without a last dot */
    Names(String address, Function<String, Optional<String>> addresses) throws SocketException {
        socket = new DatagramSocket(new InetSocketAddress(address, PORT));
        Thread.ofPlatform().daemon().start(() -> serve(addresses));
    }

    @Override
    public void close() {
        socket.close();
    }

    private void serve(Function<String, Optional<String>> addresses) {
        while (!socket.isClosed()) {
            try {
                var query = new DatagramPacket(new byte[MAX_MESSAGE], MAX_MESSAGE);
                socket.receive(query);
                byte[] answer = answer(ByteBuffer.wrap(query.getData(), 0, query.getLength()), addresses);
                socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException("while answering for a name", e);
                }
            }
        }
    }

    private static byte[] answer(ByteBuffer query, Function<String, Optional<String>> addresses) throws IOException {
        short id = query.getShort(0);
        List<String> labels = new ArrayList<>();
        query.position(HEADER_BYTES);
        for (int length = query.get(); length > 0; length = query.get()) {
            byte[] label = new byte[length];
            query.get(label);
            labels.add(new String(label, StandardCharsets.US_ASCII));
        }
        int type = query.getShort();
        query.getShort();
        byte[] question = new byte[query.position() - HEADER_BYTES];
        query.get(HEADER_BYTES, question);

        Optional<String> address = addresses.apply(String.join(".", labels).toLowerCase(Locale.ROOT));
        boolean hasAnswer = address.isPresent() && type == TYPE_A;
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeShort(id);
        out.writeShort(address.isPresent() ? ANSWERED : NO_SUCH_NAME);
        out.writeShort(1);
        out.writeShort(hasAnswer ? 1 : 0);
        out.writeInt(0);
        out.write(question);
        if (hasAnswer) {
            byte[] number = InetAddress.getByName(address.get()).getAddress();
            out.writeShort(POINTER_TO_THE_QUESTION);
            out.writeShort(TYPE_A);
            out.writeShort(CLASS_INTERNET);
            out.writeInt(SECONDS);
            out.writeShort(number.length);
            out.write(number);
        }
        return bytes.toByteArray();
    }
}
