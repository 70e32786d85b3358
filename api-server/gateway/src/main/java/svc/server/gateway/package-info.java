/**
 * The steps that are the same for every service: host to plane and tenant, request id, CORS, credentials to role, body
 * limits, and error rendering. Decisions are pure ({@code HostRoutes}, {@code CredentialTable}); what differs between
 * services is in their {@code ServiceDescriptor}; {@code Gateway} and {@code DataPlane} only move bytes.
 */
package svc.server.gateway;
