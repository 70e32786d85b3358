/**
 * The platform's own schema, {@code svc_platform}, and the registry of who holds which project. The one package of this
 * module, besides the preparation of a shared database, that opens connections.
 */
package svc.database.platform;
