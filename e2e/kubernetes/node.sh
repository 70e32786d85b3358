#!/usr/bin/env bash
# node.sh FOLDER PROGRAM NETWORK PACKAGES NUMBER: a whole Kubernetes cluster of one node, until its standard input ends; then it is
# as after a power cut: no process is left, FOLDER is what was on its disks, and the next start goes on from there.
# It is a machine of its own: processes, mounts, network (10.NUMBER.0.0/16, an interface to this machine) and control
# groups that nothing else sees, and that are gone with it. Needs root, and control groups of version 1.
# NetworkPolicies are enforced. What leaves it for any other address reaches a network that answers at every address and
# stands for the rest of the world: nothing leaves this machine.
#   PROGRAM    what e2e/kubernetes builds      NETWORK   what e2e/kubernetes/network builds
#   PACKAGES   Debian's containerd, runc, CNI plugins, nft, iptables and ipset, unpacked
set -euo pipefail
readonly FOLDER=$1 PROGRAM=$2 NETWORK=$3 PACKAGES=$4 NUMBER=$5 STAGE=${6:-outside}
readonly HOST=10.$NUMBER.0.1 NODE=10.$NUMBER.0.2 WORLD=10.$NUMBER.2.1 TO_WORLD=10.$NUMBER.2.2 NAMES=10.$NUMBER.16.10 PODS=10.$NUMBER.1.0/24 SERVICES=10.$NUMBER.16.0/20 API=10.$NUMBER.16.1
readonly LINK=svc-node-$NUMBER PORT=6443

# The folders of this process in the hierarchies of control groups, one in each line.
own_groups() {
  local controllers path
  while IFS=: read -r _ controllers path; do
    controllers=${controllers#name=}
    [ -z "$controllers" ] || echo "/sys/fs/cgroup/$controllers${path%/}"
  done </proc/self/cgroup
}

# As soon as the last process in them is gone.
remove_groups() {
  local group
  for group in $1; do
    for _ in {1..200}; do
      [ -d "$group/$LINK" ] || break
      find "$group/$LINK" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 0.05
    done
  done
}

outside() {
  local groups group machine
  exec 3<&0
  groups=$(own_groups)
  mkdir -p "$FOLDER"/{lib,log,etc}
  for group in $groups; do
    mkdir -p "$group/$LINK"
    [ ! -e "$group/$LINK/cpuset.cpus" ] || for what in cpus mems; do cat "$group/cpuset.$what" >"$group/$LINK/cpuset.$what"; done
  done
  # Dies with this process however that ends, and with it all that it started.
  # shellcheck disable=SC2016 # for the inner shell
  setpriv --pdeathsig KILL bash -c '
    for group in $1; do echo $$ >"$group/$2/cgroup.procs"; done
    exec unshare --net --mount --pid --uts --ipc --cgroup --fork --kill-child --mount-proc "${@:3}" inside' \
    - "$groups" "$LINK" "$0" "$FOLDER" "$PROGRAM" "$NETWORK" "$PACKAGES" "$NUMBER" </dev/null &
  machine=$!
  # shellcheck disable=SC2064 # these values, not later ones
  trap "kill -9 $machine 2>/dev/null || true; wait; remove_groups '$groups'; ip link del $LINK 2>/dev/null || true" EXIT
  until [ "$(readlink "/proc/$machine/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
  ip link add "$LINK" type veth peer name eth0 netns "$machine"
  ip addr add "$HOST/30" dev "$LINK"
  ip link set "$LINK" up
  ip route add "10.$NUMBER.0.0/16" via "$NODE"
  cat <&3 >/dev/null &
  wait -n
}

mount_all() {
  local group controllers
  mount --make-rshared /
  mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
  while IFS=: read -r _ controllers _; do
    [ -n "$controllers" ] || continue
    group=/sys/fs/cgroup/${controllers#name=}
    mkdir "$group"
    mount -t cgroup -o "${controllers/#name=/none,name=}" cgroup "$group"
  done </proc/self/cgroup
  mount -t overlay -o "lowerdir=$PACKAGES/usr:/usr" overlay /usr
  mount --bind "$FOLDER/lib" /var/lib
  mount --bind "$FOLDER/log" /var/log
  mount -t tmpfs tmpfs /run
}

network() {
  hostname "$LINK"
  ip link set lo up
  until ip link show eth0 >/dev/null 2>&1; do sleep 0.05; done
  ip addr add "$NODE/30" dev eth0
  ip link set eth0 up
  sysctl -qw net.ipv4.ip_forward=1
}

# The rest of the world: a network in which every address is that of one server.
world() {
  mkdir -p /run/netns
  ip netns add world
  ip link add world0 type veth peer name eth0 netns world
  ip addr add "$TO_WORLD/30" dev world0
  ip link set world0 up
  ip route add default via "$WORLD"
  ip -n world link set lo up
  ip -n world addr add "$WORLD/30" dev eth0
  ip -n world link set eth0 up
  ip -n world route add local default dev lo table local
  # In the same table, where it is the longer prefix.
  ip -n world route add "10.$NUMBER.0.0/16" via "$TO_WORLD" table local
  ip netns exec world "$NETWORK" answer 22 25 53 80 443 587 5432 6379 6443 8080 9000 10250 >>"$FOLDER/log/world.log" 2>&1 &
}

# Once: what is the same after every start.
write_settings() {
  local token
  cd "$FOLDER/etc"
  [ ! -e kubeconfig ] || return 0
  "$PROGRAM" identity . "$NODE" "$API" 127.0.0.1
  token=$(head -c 24 /dev/urandom | base64 | tr -d '+/=')
  echo "$token,node,1,system:masters" >tokens.csv
  : >resolv.conf
  mkdir -p cni
  cat >cni/10-pods.conflist <<TXT
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "ptp", "ipam": {"type": "host-local", "ranges": [[{"subnet": "$PODS"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
TXT
  cat >containerd.toml <<TXT
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/svc/pause:1"
  # What lowers the score needs a right that not every root has.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$FOLDER/etc/cni"
TXT
  cat >kubelet.yaml <<TXT
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
oomScoreAdj: 0
resolvConf: $FOLDER/etc/resolv.conf
# The Service of a name server in a pod: what NetworkPolicies can name.
clusterDNS: ["$NAMES"]
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
# Images come from no registry: none may be removed for want of space.
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
TXT
  cat >proxy.yaml <<TXT
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
clusterCIDR: $PODS
clientConnection: {kubeconfig: $FOLDER/etc/kubeconfig}
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
TXT
  cat >kubeconfig.next <<TXT
apiVersion: v1
kind: Config
current-context: node
clusters: [{name: node, cluster: {server: "https://$NODE:$PORT", certificate-authority-data: $(base64 -w0 <tls.crt)}}]
users: [{name: node, user: {token: $token}}]
contexts: [{name: node, context: {cluster: node, user: node}}]
TXT
  mv kubeconfig.next kubeconfig
}

start() {
  "$@" >>"$FOLDER/log/$(basename "$1").log" 2>&1 &
}

part() {
  "$PROGRAM" "$@" >>"$FOLDER/log/$1.log" 2>&1 &
}

inside() {
  mount_all
  network
  world
  write_settings
  local etc=$FOLDER/etc
  start containerd --config "$etc/containerd.toml"
  part etcd --name=node --data-dir=/var/lib/etcd --unsafe-no-fsync --log-level=warn
  part kube-apiserver --etcd-servers=http://127.0.0.1:2379 --bind-address=0.0.0.0 --advertise-address="$NODE" \
    --secure-port=$PORT --authorization-mode=RBAC --service-cluster-ip-range="$SERVICES" --token-auth-file="$etc/tokens.csv" \
    --tls-cert-file="$etc/tls.crt" --tls-private-key-file="$etc/tls.key" \
    --service-account-issuer=https://kubernetes.default.svc --service-account-signing-key-file="$etc/tls.key" \
    --service-account-key-file="$etc/tls.crt" --kubelet-preferred-address-types=InternalIP
  until curl --silent --fail --cacert "$etc/tls.crt" "https://$NODE:$PORT/readyz" >/dev/null; do sleep 0.1; done
  part kube-controller-manager --kubeconfig="$etc/kubeconfig" --leader-elect=false --root-ca-file="$etc/tls.crt" \
    --service-account-private-key-file="$etc/tls.key"
  part kube-scheduler --kubeconfig="$etc/kubeconfig" --leader-elect=false
  part kube-proxy --config="$etc/proxy.yaml" --hostname-override="$LINK"
  "$NETWORK" policies "$etc/kubeconfig" "$LINK" "$SERVICES" >>"$FOLDER/log/policies.log" 2>&1 &
  until ctr version >/dev/null 2>&1; do sleep 0.1; done
  for archive in "$FOLDER"/images/*.tar; do
    [ ! -e "$archive" ] || { ctr -n k8s.io images import "$archive" >>"$FOLDER/log/import.log" && mv "$archive" "$archive.imported"; }
  done
  part kubelet --config="$etc/kubelet.yaml" --kubeconfig="$etc/kubeconfig" --hostname-override="$LINK" --node-ip="$NODE"
  # The first process of a machine waits for all that loses its parent.
  while :; do wait -n || true; sleep 1; done
}

"$STAGE"
