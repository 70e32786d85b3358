package svc.management.mcp.token;

import java.util.Optional;
import svc.management.token.Principal;

/**
 * The client of an MCP call.
 *
 * @param principal with the rights of this call
 * @param project the only one that it reaches; empty for all of the organisation
 * @param readOnly whether it changes nothing
 */
public record McpCaller(Principal principal, Optional<String> project, boolean readOnly) {}
