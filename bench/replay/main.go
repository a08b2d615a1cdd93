// A replay server of pods: TLS on loopback, list and watch as an API server answers them, each event
// as fast as the reader takes it. JSON and protobuf are made before the start, so serving costs the
// machine as little as it can.
//
// Pods come on standard input, one JSON object a line. The address and the certificate come on
// standard output as one JSON line. The server ends when standard input is closed.
//
// Every path begins with /<run>: a run is one client's view of the pods. A run is steered by
//
//	POST /<run>/-/pods?n=N           the first N pods are there, unchanged
//	POST /<run>/-/send?n=N           send N MODIFIED events to the open watch, round the pods
//	POST /<run>/-/relist?n=N   give the first N pods a new version, then end the watch by 410
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	pods, err := readPods(in)
	if err != nil {
		log.Fatalf("replay: cannot read the pods: %v", err)
	}
	certificate, ca, err := selfSigned()
	if err != nil {
		log.Fatalf("replay: cannot make a certificate: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatalf("replay: cannot listen: %v", err)
	}
	server := &http.Server{
		Handler:   &replay{pods: pods, runs: map[string]*run{}},
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"server": "https://" + listener.Addr().String(),
		"ca":     ca,
		"pods":   len(pods),
		"bytes":  map[string]int{"json": meanSize(pods, asJSON), "protobuf": meanSize(pods, asProtobuf)},
	})
	go func() {
		io.Copy(io.Discard, in)
		os.Exit(0)
	}()
	log.Fatal(server.ServeTLS(listener, "", ""))
}

// replay serves all runs.
type replay struct {
	pods []*pod
	mu   sync.Mutex
	runs map[string]*run
}

// run is what one client sees.
type run struct {
	pods []*pod
	// version is that of the newest event.
	version int
	// changed holds the version of each pod that was changed; the others have their own.
	changed []int
	// commands go to the open watch.
	commands chan command
}

type command struct {
	send int
	gone bool
}

const firstVersion = 1_000_000_000

func (s *replay) run(name string) *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.runs[name]
	if r == nil {
		r = &run{commands: make(chan command, 16)}
		s.runs[name] = r
	}
	return r
}

func (s *replay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(q.URL.Path, "/"), "/", 2)
	if len(parts) < 2 {
		http.NotFound(w, q)
		return
	}
	r := s.run(parts[0])
	query := q.URL.Query()
	number := func(name string) int {
		n, _ := strconv.Atoi(query.Get(name))
		return n
	}
	switch parts[1] {
	case "-/pods":
		n := min(number("n"), len(s.pods))
		s.mu.Lock()
		*r = run{pods: s.pods[:n], version: firstVersion + n, changed: make([]int, n), commands: make(chan command, 16)}
		s.mu.Unlock()
	case "-/send":
		r.commands <- command{send: number("n")}
	case "-/relist":
		for i := range min(number("n"), len(r.pods)) {
			r.version++
			r.changed[i] = r.version
		}
		r.commands <- command{gone: true}
	case "api/v1/pods":
		form := asJSON
		if strings.Contains(q.Header.Get("Accept"), "protobuf") {
			form = asProtobuf
		}
		if query.Get("watch") == "true" || query.Get("watch") == "1" {
			r.watch(w, q, form)
		} else {
			r.list(w, form, number("limit"), number("continue"))
		}
	default:
		http.NotFound(w, q)
	}
}

func (r *run) versionOf(i int) int {
	if r.changed[i] != 0 {
		return r.changed[i]
	}
	return firstVersion + i
}

func (r *run) list(w http.ResponseWriter, form form, limit, from int) {
	to := len(r.pods)
	if limit > 0 {
		to = min(to, from+limit)
	}
	next := ""
	if to < len(r.pods) {
		next = strconv.Itoa(to)
	}
	w.Header().Set("Content-Type", form.listType())
	form.writeList(w, r, from, to, next)
}

func (r *run) watch(w http.ResponseWriter, q *http.Request, form form) {
	w.Header().Set("Content-Type", form.watchType())
	w.WriteHeader(200)
	flush := w.(http.Flusher).Flush
	flush()
	var line []byte
	// kube-apiserver flushes each event by itself, so that it goes out in records of its own.
	event := func(kind kind, i, version int) {
		line = r.pods[i].event(line[:0], form, kind, version)
		w.Write(line)
		flush()
	}
	if q.URL.Query().Get("sendInitialEvents") == "true" {
		for i := range r.pods {
			event(added, i, r.versionOf(i))
		}
		w.Write(form.initialEnd(r.version))
		flush()
	}
	for next := 0; ; {
		select {
		case <-q.Context().Done():
			return
		case c := <-r.commands:
			if c.gone {
				w.Write(form.gone())
				flush()
				return
			}
			for range c.send {
				r.version++
				r.changed[next] = r.version
				event(modified, next, r.version)
				next = (next + 1) % len(r.pods)
			}
			flush()
		}
	}
}

func selfSigned() (tls.Certificate, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "replay CA"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "127.0.0.1"},
		NotBefore: ca.NotBefore, NotAfter: ca.NotAfter, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &leafKey.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: leafKey}, string(text), nil
}

func meanSize(pods []*pod, form form) int {
	total := 0
	for _, p := range pods {
		total += len(p.parts[form][added].bytes)
	}
	return total / max(1, len(pods))
}

func (f form) gone() []byte {
	status := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
		`"message":"too old resource version","reason":"Expired","code":410}`
	if f == asJSON {
		return fmt.Appendf(nil, `{"type":"ERROR","object":%s}`+"\n", status)
	}
	return protobufEvent("ERROR", mustStatus(status))
}
