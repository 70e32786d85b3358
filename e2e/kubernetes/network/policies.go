package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// Enforces the NetworkPolicies of the node's pods until the process ends: kube-router's controller alone, without its router
// and its proxy of Services. It needs iptables and ipset on the path.
func enforcePolicies(kubeconfig, node, services string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	// Without the node's address the controller does not start.
	for !isRegistered(client, node) {
		time.Sleep(200 * time.Millisecond)
	}
	settings := options.NewKubeRouterConfig()
	settings.HostnameOverride = node
	settings.ClusterIPCIDRs = []string{services}
	settings.EnableIPv4 = true
	tables, sets, err := netpol.NewIPTablesHandlers(settings)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	controller, err := netpol.NewNetworkPolicyController(client, settings, pods, policies, namespaces, &sync.Mutex{}, tables, sets)
	if err != nil {
		return err
	}
	for informer, handler := range map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		pods: controller.PodEventHandler, policies: controller.NetworkPolicyEventHandler, namespaces: controller.NamespaceEventHandler,
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}
	forever := make(chan struct{})
	factory.Start(forever)
	for kind, synced := range factory.WaitForCacheSync(forever) {
		if !synced {
			return fmt.Errorf("%v cannot be listed", kind)
		}
	}
	// The controller waits until each of its signs of life is read.
	alive := make(chan *healthcheck.ControllerHeartbeat)
	go func() {
		for range alive {
		}
	}()
	var running sync.WaitGroup
	running.Add(1)
	controller.Run(alive, forever, &running)
	return nil
}

func isRegistered(client kubernetes.Interface, name string) bool {
	node, err := client.CoreV1().Nodes().Get(context.Background(), name, metav1.GetOptions{})
	return err == nil && len(node.Status.Addresses) > 0
}
