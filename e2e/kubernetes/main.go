// Kubernetes as one program, for tests: the first argument names the part that runs.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/client-go/util/cert"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	if len(os.Args) < 2 {
		refuse()
	}
	if os.Getenv("SVC_ENDS_WITH_INPUT") == "true" {
		go endWithInput()
	}
	os.Args = os.Args[1:]
	switch os.Args[0] {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "kube-proxy":
		os.Exit(cli.Run(proxy.NewProxyCommand()))
	case "kubelet":
		os.Exit(cli.Run(kubelet.NewKubeletCommand(context.Background())))
	case "identity":
		identify(os.Args[1:])
	case "version":
		fmt.Println(version.Get().GitVersion)
	default:
		refuse()
	}
}

// The input is a pipe that the parent process holds: it ends even when that process is killed.
func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// Writes tls.key and tls.crt, with the authority that signed it, for a server at these addresses.
func identify(arguments []string) {
	if len(arguments) < 2 {
		refuse()
	}
	var addresses []net.IP
	for _, address := range arguments[1:] {
		addresses = append(addresses, net.ParseIP(address))
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey(arguments[1], addresses, []string{"kubernetes.default.svc"})
	if err == nil {
		err = os.WriteFile(filepath.Join(arguments[0], "tls.crt"), certificate, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(arguments[0], "tls.key"), key, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func refuse() {
	fmt.Fprintln(os.Stderr, "usage: kubernetes etcd|kube-apiserver|kube-controller-manager|kube-scheduler|kube-proxy|kubelet|version [flags]\n       kubernetes identity FOLDER ADDRESS ...")
	os.Exit(2)
}
