package svc.auth.mfa;

import io.nayuki.qrcodegen.QrCode;

/** A text as a QR code in SVG. */
public final class QrImage {
    /** The quiet zone in modules that readers require (ISO/IEC 18004). */
    private static final int QUIET = 4;

    private QrImage() {}

    /**
     * Clients put it behind {@code data:image/svg+xml;utf-8,}, so it has no character that is reserved in a URI.
     */
    public static String svg(String text) {
        QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
        StringBuilder path = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    path.append('M')
                            .append(x + QUIET)
                            .append(' ')
                            .append(y + QUIET)
                            .append("h1v1h-1z");
                }
            }
        }
        int whole = code.size + 2 * QUIET;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"200\" viewBox=\"0 0 " + whole + " "
                + whole + "\" shape-rendering=\"crispEdges\"><rect width=\"" + whole + "\" height=\"" + whole
                + "\" fill=\"white\"/><path d=\"" + path + "\" fill=\"black\"/></svg>";
    }
}
