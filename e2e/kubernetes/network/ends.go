package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

const patience = 3 * time.Second

// Answers HTTP at these ports of every address of this network, with the address that was reached.
func answer(ports []string) error {
	reached := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprintf(response, "reached %v", request.Context().Value(http.LocalAddrContextKey))
	})
	ended := make(chan error)
	for _, port := range ports {
		go func() { ended <- http.ListenAndServe(":"+port, reached) }()
	}
	return <-ended
}

// Prints a line for each target, in their order: the target, and open, refused or silent, or another error.
func connect(targets []string) {
	results := make([]string, len(targets))
	var tries sync.WaitGroup
	for i, target := range targets {
		tries.Go(func() { results[i] = tryConnection(target) })
	}
	tries.Wait()
	for i, target := range targets {
		fmt.Println(target, results[i])
	}
}

func tryConnection(target string) string {
	connection, err := net.DialTimeout("tcp", target, patience)
	switch {
	case err == nil:
		_ = connection.Close()
		return "open"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case os.IsTimeout(err):
		return "silent"
	default:
		return err.Error()
	}
}

// Passes each question that arrives at port 53 on to the name server, and its answer back.
func relayNames(server string) error {
	asked, err := net.ListenPacket("udp", ":53")
	if err != nil {
		return err
	}
	for {
		question := make([]byte, 512)
		length, from, err := asked.ReadFrom(question)
		if err != nil {
			return err
		}
		go func() {
			if answer, err := ask(server, question[:length]); err == nil {
				_, _ = asked.WriteTo(answer, from)
			}
		}()
	}
}

func ask(server string, question []byte) ([]byte, error) {
	connection, err := net.DialTimeout("udp", server, patience)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(patience))
	if _, err := connection.Write(question); err != nil {
		return nil, err
	}
	answer := make([]byte, 512)
	length, err := connection.Read(answer)
	return answer[:length], err
}
