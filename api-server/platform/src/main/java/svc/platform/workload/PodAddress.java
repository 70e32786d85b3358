package svc.platform.workload;

import com.google.re2j.Pattern;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Which addresses of an EndpointSlice a pod can have. A caller with write access to EndpointSlices in a namespace decides
 * where the gateway connects to, so loopback, and link-local with its metadata service, are none.
 */
public final class PodAddress {
    private static final Pattern IP = Pattern.compile("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private PodAddress() {}

    /** Never resolves a name: that is no address. */
    public static boolean isOne(String text) {
        if (!IP.matcher(text).matches()) {
            return false;
        }
        try {
            InetAddress address = InetAddress.getByName(text);
            return !address.isLoopbackAddress()
                    && !address.isLinkLocalAddress()
                    && !address.isAnyLocalAddress()
                    && !address.isMulticastAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
