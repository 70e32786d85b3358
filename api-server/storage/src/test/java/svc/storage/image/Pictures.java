package svc.storage.image;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.stream.ImageOutputStream;

/** Images for tests, written and read by Java's own codecs. */
public final class Pictures {
    private Pictures() {}

    /** The left half is red, the right half is blue. */
    public static BufferedImage halves(int width, int height) {
        return filled(width, height, Color.RED, Color.BLUE);
    }

    private static BufferedImage filled(int width, int height, Color left, Color right) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var pen = image.createGraphics();
        pen.setColor(left);
        pen.fillRect(0, 0, width / 2, height);
        pen.setColor(right);
        pen.fillRect(width / 2, 0, width, height);
        pen.dispose();
        return image;
    }

    public static byte[] write(BufferedImage image, String format) {
        var bytes = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, bytes)) {
                throw new IllegalArgumentException("no writer of " + format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public static BufferedImage read(byte[] bytes) {
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes));
            if (image == null) {
                throw new IllegalArgumentException("no image: " + new String(bytes, StandardCharsets.ISO_8859_1));
            }
            return image;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code red}, {@code blue}, or the numbers of another colour. */
    public static String colour(BufferedImage image, double x, double y) {
        var colour = new Color(image.getRGB((int) (x * image.getWidth()), (int) (y * image.getHeight())));
        if (colour.getRed() > 180 && colour.getBlue() < 80) {
            return "red";
        }
        return colour.getBlue() > 180 && colour.getRed() < 80 ? "blue" : colour.toString();
    }

    /** A JPEG whose camera was held on its side: it is to be turned to the right. */
    public static byte[] turned(byte[] jpeg) {
        byte[] exif = ByteBuffer.allocate(36)
                .put(new byte[] {(byte) 0xff, (byte) 0xe1, 0, 34})
                .put("Exif\0\0".getBytes(StandardCharsets.US_ASCII))
                .put("MM\0*".getBytes(StandardCharsets.US_ASCII))
                .putInt(8)
                // One entry: orientation, a short, 6.
                .putShort((short) 1)
                .putShort((short) 0x112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) 6)
                .putShort((short) 0)
                .putInt(0)
                .array();
        return join(Arrays.copyOf(jpeg, 2), exif, Arrays.copyOfRange(jpeg, 2, jpeg.length));
    }

    /** A GIF whose first frame has red on the left, and whose other frames have blue there. */
    public static byte[] animatedGif(int width, int height, int frames) {
        var bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (int i = 0; i < frames; i++) {
                BufferedImage frame = i == 0 ? halves(width, height) : filled(width, height, Color.BLUE, Color.RED);
                IIOMetadata metadata =
                        writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(frame), null);
                writer.writeToSequence(new IIOImage(frame, null, metadata), null);
            }
            writer.endWriteSequence();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /** Two still images of a WebP each as the frames of one. */
    public static byte[] animatedWebp(byte[] first, byte[] second, int width, int height) {
        byte[] size = join(three(width - 1), three(height - 1));
        byte[] head = chunk("VP8X", join(new byte[] {2, 0, 0, 0}, size));
        byte[] animation = chunk("ANIM", new byte[6]);
        byte[] all = join(head, animation, frame(first, size), frame(second, size));
        return join(
                "RIFF".getBytes(StandardCharsets.US_ASCII),
                little(all.length + 4),
                "WEBP".getBytes(StandardCharsets.US_ASCII),
                all);
    }

    private static byte[] frame(byte[] webp, byte[] size) {
        byte[] still = Arrays.copyOfRange(webp, 12, webp.length);
        return chunk("ANMF", join(new byte[6], size, new byte[] {100, 0, 0, 0}, still));
    }

    private static byte[] chunk(String name, byte[] body) {
        return join(name.getBytes(StandardCharsets.US_ASCII), little(body.length), body, new byte[body.length % 2]);
    }

    private static byte[] little(int number) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .array();
    }

    private static byte[] three(int number) {
        return Arrays.copyOf(little(number), 3);
    }

    /** A PNG of one colour: a few kilobytes that have as many pixels as one likes. */
    public static byte[] bomb(int width, int height) {
        byte[] line = new byte[1 + (width + 7) / 8];
        var deflater = new Deflater(9);
        var packed = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        for (int row = 0; row < height; row++) {
            deflater.setInput(line);
            if (row == height - 1) {
                deflater.finish();
            }
            while (!deflater.needsInput() || row == height - 1 && !deflater.finished()) {
                packed.write(piece, 0, deflater.deflate(piece));
            }
        }
        deflater.end();
        byte[] head = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put(new byte[] {1, 0, 0, 0, 0})
                .array();
        return join(
                new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                part("IHDR", head),
                part("IDAT", packed.toByteArray()),
                part("IEND", new byte[0]));
    }

    private static byte[] part(String name, byte[] body) {
        byte[] named = join(name.getBytes(StandardCharsets.US_ASCII), body);
        var sum = new CRC32();
        sum.update(named);
        return join(
                ByteBuffer.allocate(4).putInt(body.length).array(),
                named,
                ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
    }

    public static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
