/**
 * The platform's own schema, {@code svc_platform}, with the registry of projects and their holders. The one package of this
 * module, besides the preparation of a shared database, that opens connections.
 */
package svc.database.platform;
