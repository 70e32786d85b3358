/**
 * What happens once for all services: host to plane and tenant, request id, CORS, credentials to role, body caps, and
 * the rendering of everything that goes wrong. Decisions are pure ({@code HostRoutes}, {@code DataPlanePath},
 * {@code OpenPaths}, {@code CredentialTable}); {@code Gateway} only moves bytes between them.
 */
package svc.server.gateway;
