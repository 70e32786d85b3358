package svc.bench.storage;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;

/** A JPEG of 4 megapixels to 400 pixels, one request after the other: each form for the first time, and one that is kept. */
public record StorageImages(StorageProject project) {
    private static final int WIDTH = 2_400;
    private static final int HEIGHT = 1_700;
    private static final int SHAPES = 400;

    /** The first start processes and compile. */
    private static final int WARM_UP = 5;

    private static final int COLD = 30;
    private static final int KEPT = 200;
    private static final double MAX_COLD_MILLIS = 120;
    private static final double MAX_KEPT_MILLIS = 3;

    public List<Figure> measure() throws Exception {
        List<String> names = IntStream.range(0, WARM_UP + COLD)
                .mapToObj(number -> "open/photo-" + number + ".jpg")
                .toList();
        project.upload(names, photo());
        try (HttpClient client = HttpClient.newHttpClient()) {
            var figures = new ArrayList<Figure>();
            List<Duration> cold = new ArrayList<>();
            for (String name : names) {
                cold.add(render(client, name));
            }
            figures.add(Figure.atMost(
                    "image of 4 MP to 400 px, WebP, new, p50",
                    Samples.of(cold.subList(WARM_UP, cold.size())).median(),
                    "ms",
                    MAX_COLD_MILLIS));
            List<Duration> kept = new ArrayList<>();
            for (int i = 0; i < KEPT; i++) {
                kept.add(render(client, names.getFirst()));
            }
            figures.add(Figure.atMost(
                    "the same, kept, p50",
                    Samples.of(kept.subList(KEPT / 2, KEPT)).median(),
                    "ms",
                    MAX_KEPT_MILLIS));
            return figures;
        }
    }

    private Duration render(HttpClient client, String name) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(project.address("/render/image/public/" + name + "?width=400"))
                .header("Accept", "image/webp,*/*")
                .build();
        long begin = System.nanoTime();
        HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("an image was answered with " + answer.statusCode() + ": "
                    + new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
        }
        return taken;
    }

    /** Shapes on a gradient: about as many bytes as a photo of that size. */
    public static byte[] photo() throws IOException {
        var image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        var random = new Random(1);
        Graphics2D graphics = image.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, Color.ORANGE, WIDTH, HEIGHT, Color.BLUE));
        graphics.fillRect(0, 0, WIDTH, HEIGHT);
        for (int i = 0; i < SHAPES; i++) {
            graphics.setColor(new Color(random.nextInt(1 << 24)));
            graphics.fillOval(random.nextInt(WIDTH), random.nextInt(HEIGHT), random.nextInt(300), random.nextInt(300));
        }
        graphics.dispose();
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "jpg", bytes);
        return bytes.toByteArray();
    }
}
