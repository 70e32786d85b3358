#!/bin/sh
# Writes every Project, EdgeFunction and FunctionSecret again, in the version that the API server stores now, and records that no
# object of another version is left: only then can a version be removed from the definitions. Changes no field; may be repeated.
# Run it with the rights of a cluster admin, a minute after the definitions were changed: each API server must know them.
set -eu
version=${1:?usage: config/storage-version.sh VERSION, such as v1beta1}
kinds='projects edgefunctions functionsecrets'

for kind in $kinds; do
  stored=$(kubectl get customresourcedefinition "$kind.svc.platform" \
    --output jsonpath='{.spec.versions[?(@.storage==true)].name}')
  if [ "$stored" != "$version" ]; then
    echo "$kind are stored as $stored: apply the definitions first that store $version" >&2
    exit 1
  fi
done
for kind in $kinds; do
  # Not in the pipeline, which hides its failure: objects that were not listed would seem to be written.
  objects=$(kubectl get "$kind.svc.platform" --all-namespaces --no-headers \
    --output custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name)
  printf '%s\n' "$objects" |
    while read -r namespace name; do
      [ -n "$name" ] || continue
      # A patch of nothing is written if the stored version differs.
      kubectl patch "$kind.svc.platform" "$name" --namespace "$namespace" --type merge --patch '{}' </dev/null ||
        # Deleted meanwhile.
        test -z "$(kubectl get "$kind.svc.platform" "$name" --namespace "$namespace" --ignore-not-found </dev/null)"
    done
  kubectl patch customresourcedefinition "$kind.svc.platform" --subresource status --type merge \
    --patch "{\"status\":{\"storedVersions\":[\"$version\"]}}"
done
