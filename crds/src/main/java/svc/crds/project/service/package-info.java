/** Settings of the other services of a project. */
package svc.crds.project.service;
