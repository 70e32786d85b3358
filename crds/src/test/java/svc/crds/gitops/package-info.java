/** What tools that apply manifests from a repository see of our kinds. */
package svc.crds.gitops;
