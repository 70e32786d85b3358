#!/usr/bin/env bash
# images/run.sh ARCHIVE [VARIABLE=value ...]: runs an image as a container engine would, without one: its own root, read-only,
# its user, its environment and nothing of ours; /tmp, /proc and the host's network.
# Needs root. For proving images; not for production.
set -euo pipefail
archive=$(readlink -f "$1")
shift
variables=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/oci" "$work/root"
tar -xf "$archive" -C "$work/oci"
read_json() { node -e 'const [file, path] = process.argv.slice(1); let v = JSON.parse(require("fs").readFileSync(file)); for (const p of path.split(".")) v = v[p]; console.log([].concat(v).map(x => x.digest ?? x).join("\n"));' "$1" "$2"; }
blob() { echo "$work/oci/blobs/sha256/${1#sha256:}"; }
manifest=$(blob "$(read_json "$work/oci/index.json" manifests)")
while read -r layer; do tar -xzf "$(blob "$layer")" -C "$work/root"; done < <(read_json "$manifest" layers)
config=$(blob "$(read_json "$manifest" config.digest)")
mapfile -t entrypoint < <(read_json "$config" config.Entrypoint)
mapfile -t environment < <(read_json "$config" config.Env)
user=$(read_json "$config" config.User)
rm -r "$work/oci"
touch "$work/root/etc/resolv.conf" "$work/root/etc/hosts" "$work/root/dev/null" "$work/root/dev/urandom" "$work/root/dev/random"
export ROOT=$work/root IDS=$user
exec 3< <(printf '%s\0' "${environment[@]}" ${variables[@]+"${variables[@]}"} -- "${entrypoint[@]}")
unshare --mount --pid --fork --kill-child --ipc --uts bash -euc '
  mount --bind "$ROOT" "$ROOT"
  for device in null urandom random; do mount --bind /dev/$device "$ROOT/dev/$device"; done
  mount --bind /etc/resolv.conf "$ROOT/etc/resolv.conf"
  mount --bind /etc/hosts "$ROOT/etc/hosts"
  mount -t proc proc "$ROOT/proc"
  mount -t tmpfs -o size=512m,mode=1777 tmpfs "$ROOT/tmp"
  mount -o remount,bind,ro "$ROOT"
  mapfile -d "" -t words <&3
  variables=() command=()
  while [ "${words[0]}" != -- ]; do variables+=("${words[0]}"); words=("${words[@]:1}"); done
  command=("${words[@]:1}")
  exec env -i "${variables[@]}" "$(command -v chroot)" --userspec="$IDS" --groups= "$ROOT" "${command[@]}"
' &
child=$!
trap 'kill -TERM "$child" 2>/dev/null' INT TERM
while kill -0 "$child" 2>/dev/null; do wait "$child" && status=0 || status=$?; done
exit "${status:-0}"
