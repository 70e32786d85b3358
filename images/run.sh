#!/usr/bin/env bash
# images/run.sh [--architecture NAME --emulator FILE] ARCHIVE [VARIABLE=value ...]: runs an image as a container engine would,
# without one: its own root, read-only, its user, its environment and nothing of ours; /tmp, /proc and the host's network.
#   --architecture   that of the image's variant, amd64 or arm64: this machine's unless it is given
#   --emulator       a static program that runs programs of that architecture, such as Debian's qemu-aarch64-static
# Needs root. For proving images; not for production.
set -euo pipefail
case "$(uname -m)" in aarch64) architecture=arm64 ;; *) architecture=amd64 ;; esac
emulator=''
while [[ ${1:-} = --* ]]; do
  case "$1" in
    --architecture) architecture=$2 ;;
    --emulator) emulator=$(readlink -f "$2") ;;
    *) echo "run.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
archive=$(readlink -f "$1")
shift
variables=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/oci" "$work/root"
tar -xf "$archive" -C "$work/oci"
read_json() { node -e 'const [file, path] = process.argv.slice(1); let v = JSON.parse(require("fs").readFileSync(file)); for (const p of path.split(".")) v = v[p]; console.log([].concat(v).map(x => x.digest ?? x).join("\n"));' "$1" "$2"; }
blob() { echo "$work/oci/blobs/sha256/${1#sha256:}"; }
# An image of several architectures is an index in the index.
variant() {
  node -e '
    const fs = require("fs"), [folder, architecture] = process.argv.slice(1);
    const manifests = (file) => JSON.parse(fs.readFileSync(file)).manifests.flatMap((m) =>
      m.mediaType.includes("index") ? manifests(`${folder}/blobs/sha256/${m.digest.slice(7)}`) : [m]);
    const found = manifests(`${folder}/index.json`).find((m) => m.platform.architecture === architecture);
    if (!found) { console.error(`run.sh: the image has no variant for ${architecture}`); process.exit(1); }
    console.log(found.digest);' "$work/oci" "$architecture"
}
digest=$(variant)
manifest=$(blob "$digest")
while read -r layer; do tar -xzf "$(blob "$layer")" -C "$work/root"; done < <(read_json "$manifest" layers)
config=$(blob "$(read_json "$manifest" config.digest)")
mapfile -t entrypoint < <(read_json "$config" config.Entrypoint)
mapfile -t environment < <(read_json "$config" config.Env)
user=$(read_json "$config" config.User)
rm -r "$work/oci"
touch "$work/root/etc/resolv.conf" "$work/root/etc/hosts" "$work/root/dev/null" "$work/root/dev/urandom" "$work/root/dev/random"
export ROOT=$work/root IDS=$user EMULATOR=$emulator READY=$work/ready
mkfifo "$READY"
exec 3< <(printf '%s\0' "${environment[@]}" ${variables[@]+"${variables[@]}"} -- "${entrypoint[@]}")
# shellcheck disable=SC2016 # for the inner shell
inside='
  if [ -n "$EMULATOR" ]; then
    mount -t binfmt_misc binfmt_misc /mnt
    # The head of an ELF file of aarch64; F: the emulator is opened now, outside of the root of the image.
    printf %s ":image:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$EMULATOR:F" >/mnt/register
  fi
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
'
if [ -z "$emulator" ]; then
  unshare --mount --pid --fork --kill-child --ipc --uts bash -euc "$inside" &
else
  # The table of emulators belongs to the user namespace: that of the machine stays as it is.
  unshare --user --mount --pid --fork --kill-child --ipc --uts bash -euc 'read -r _ <"$READY"
    exec setpriv --reuid 0 --regid 0 --clear-groups bash -euc "$0"' "$inside" &
  until [ "$(readlink "/proc/$!/ns/user")" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.05; done
  for ids in uid gid; do echo "0 0 4294967295" >"/proc/$!/${ids}_map"; done
  echo mapped >"$READY"
fi
child=$!
trap 'kill -TERM "$child" 2>/dev/null' INT TERM
while kill -0 "$child" 2>/dev/null; do wait "$child" && status=0 || status=$?; done
exit "${status:-0}"
