// The network of a test node, as one program: what enforces NetworkPolicies, and the ends of connections that prove it.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch arguments := os.Args[1:]; {
	case len(arguments) == 4 && arguments[0] == "policies":
		err = enforcePolicies(arguments[1], arguments[2], arguments[3])
	case len(arguments) > 1 && arguments[0] == "answer":
		err = answer(arguments[1:])
	case len(arguments) > 1 && arguments[0] == "connect":
		connect(arguments[1:])
	case len(arguments) == 2 && arguments[0] == "names":
		err = relayNames(arguments[1])
	default:
		err = fmt.Errorf(`usage: network policies KUBECONFIG NODE SERVICES   enforce the NetworkPolicies of the node's pods
       network answer PORT ...                         answer HTTP at these ports of every address
       network connect ADDRESS:PORT ...                print for each whether it accepts a connection
       network names ADDRESS:PORT                      pass questions for names on to this name server`)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
