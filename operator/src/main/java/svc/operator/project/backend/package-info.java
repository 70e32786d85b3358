/**
 * Where a project's database is, behind one port: {@link svc.operator.project.backend.ProjectBackend}. Its implementations
 * are in {@code project.shared}, {@code project.dedicated} and {@code project.adopted}.
 */
package svc.operator.project.backend;
