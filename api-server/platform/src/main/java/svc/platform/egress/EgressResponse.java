package svc.platform.egress;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/** What an address that a tenant chose answered, whatever its status. */
public record EgressResponse(int status, MultiMap headers, Buffer body) {}
