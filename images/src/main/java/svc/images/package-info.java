/**
 * Container images without a container engine: what Debian, Java's linker, npm and our build make is put into layers and
 * written as an OCI archive. The same parts give the same bytes, on every machine and at every time.
 */
package svc.images;
