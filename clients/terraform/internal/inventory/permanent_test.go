package inventory

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// connectionCase is a row of clients/connection-cases.json, which says what each field means.
type connectionCase struct {
	Name     string
	Is       string
	Attempts int32
	URL      string
	URLForm  string
	Key      *string
	Server   string
	Reply    *struct {
		Status  int
		Headers map[string]string
		Body    string
	}
	Setting string
	Says    []string
	Hides   string
}

type connectionCases struct {
	Settings map[string]map[string]string
	Cases    []connectionCase
}

func readCases(t *testing.T) connectionCases {
	t.Helper()
	text, err := os.ReadFile("../../../connection-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all connectionCases
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Cases) == 0 {
		t.Fatal("there are no cases")
	}
	return all
}

// handle does what the case states at the first request, and answers well afterwards.
func handle(one connectionCase, writer http.ResponseWriter, isFirst bool) {
	if one.Is != "right" && isFirst {
		switch {
		case one.Reply != nil:
			for name, value := range one.Reply.Headers {
				writer.Header().Set(name, value)
			}
			writer.WriteHeader(one.Reply.Status)
			fmt.Fprint(writer, one.Reply.Body)
			return
		case one.Server == "cut body":
			writer.Header().Set("Content-Type", "application/json")
			writer.Header().Set("Content-Length", "1000")
			fmt.Fprint(writer, `{"nodes": [`)
			panic(http.ErrAbortHandler)
		default:
			panic(http.ErrAbortHandler)
		}
	}
	writer.Header().Set("Content-Type", "application/json")
	fmt.Fprint(writer, `{"name": "n"}`)
}

func TestConnectionCases(t *testing.T) {
	all := readCases(t)
	for _, one := range all.Cases {
		t.Run(one.Name, func(t *testing.T) {
			var requests, connections atomic.Int32
			var keys []string
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
				keys = append(keys, request.Header.Get("Authorization"))
				handle(one, writer, requests.Add(1) == 1)
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			attempts := &requests
			if one.Server == "unknown certificate" {
				server.StartTLS()
				attempts = &connections
			} else {
				server.Start()
			}
			defer server.Close()
			address := server.URL
			if one.Server == "no TLS" {
				address = strings.Replace(address, "http:", "https:", 1)
				attempts = &connections
			}
			if one.URLForm != "" {
				host, port, _ := net.SplitHostPort(server.Listener.Addr().String())
				address = strings.NewReplacer("{host}", host, "{port}", port).Replace(one.URLForm)
			}
			if one.URL != "" {
				address = one.URL
			}
			key := "minv_abc"
			if one.Key != nil {
				key = *one.Key
			}
			client, err := New(Options{URL: address, Key: key})
			if err == nil {
				client.pause = time.Millisecond
				err = client.Check(context.Background())
			}
			var setting *SettingError
			isPermanent := errors.As(err, &setting)
			if attempts.Load() != one.Attempts || isPermanent != (one.Is == "permanent") || (err != nil) != isPermanent {
				t.Fatalf("%d attempts, error %v", attempts.Load(), err)
			}
			if slices.ContainsFunc(keys, func(sent string) bool { return sent != "Bearer minv_abc" }) {
				t.Errorf("sent %q", keys)
			}
			if err == nil {
				return
			}
			for _, part := range append(one.Says, all.Settings[one.Setting]["terraform"]) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
			if one.Hides != "" && strings.Contains(err.Error(), one.Hides) {
				t.Errorf("%q is in: %v", one.Hides, err)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for text, address := range map[string]string{
		"https://a/v1/":          "https://a",
		"https://A:8443/Base/v1": "https://a:8443/Base",
		"https://a/v10":          "https://a/v10",
		" https://a\n":           "https://a",
		"https://x.execute-api.eu-west-1.amazonaws.com/v1": "https://x.execute-api.eu-west-1.amazonaws.com/v1",
	} {
		if found, err := addressOf(text); err != nil || found != address {
			t.Errorf("%q is %q, error %v", text, found, err)
		}
	}
}

func TestKeyFiles(t *testing.T) {
	file := t.TempDir() + "/key"
	client, err := New(Options{URL: "https://a", KeyFile: file})
	if err != nil {
		t.Fatal(err)
	}
	for text, part := range map[string]string{"": "cannot be read", "minv_a\nminv_b\n": "no key has", "\n": "empty"} {
		if text != "" {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
		err := client.Check(context.Background())
		var setting *SettingError
		if !errors.As(err, &setting) || setting.Setting != "key_file" || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "minv") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A removal whose server sends a page of HTML has not succeeded.
func TestReplyWithoutUseIsChecked(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(writer, "<!doctype html>")
	}))
	defer server.Close()
	client, err := New(Options{URL: server.URL, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Do(context.Background(), Request{Method: http.MethodDelete, Path: "/v1/nodes/a", IsRepeatable: true}, nil)
	if err == nil || !strings.Contains(err.Error(), "is not an inventory") {
		t.Errorf("error %v", err)
	}
}

// A proxy that refuses is asked once, for https:// by CONNECT, for http:// by the request itself.
func TestProxiesThatRefuse(t *testing.T) {
	for _, one := range []struct {
		url      string
		status   int
		attempts int32
		part     string
	}{
		{"https://inventory.internal", 407, 1, "407 Proxy Authentication Required. Correct HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT"},
		{"http://inventory.internal", 407, 1, "407 Proxy Authentication Required. Correct HTTPS_PROXY"},
		{"https://inventory.internal", 403, 1, "403 Forbidden. Correct HTTPS_PROXY"},
		{"https://inventory.internal", 503, attempts, "did not answer: Service Unavailable"},
	} {
		var requests atomic.Int32
		proxy := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			writer.WriteHeader(one.status)
		}))
		client, err := New(Options{URL: one.url, Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		client.pause = time.Millisecond
		address, _ := url.Parse(proxy.URL)
		client.http.Transport.(*http.Transport).Proxy = http.ProxyURL(address)
		err = client.Check(context.Background())
		if requests.Load() != one.attempts || err == nil || !strings.Contains(err.Error(), one.part) {
			t.Errorf("%s, %d: %d attempts, error %v", one.url, one.status, requests.Load(), err)
		}
		proxy.Close()
	}
}

// A port with TLS that is asked without it closes the connection, as a server does that stops.
func TestConnectionThatEndsWithoutTLSNamesHTTPS(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for connection, err := listener.Accept(); err == nil; connection, err = listener.Accept() {
			connection.Read(make([]byte, 4096))
			connection.Close()
		}
	}()
	client, err := New(Options{URL: "http://" + listener.Addr().String(), Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	client.pause = time.Millisecond
	if err := client.Check(context.Background()); err == nil || !strings.Contains(err.Error(), "did not answer: EOF (is it https://?)") {
		t.Errorf("error %v", err)
	}
}

// The remedy is another address, not another authority.
func TestCertificateWithOtherNames(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	file := t.TempDir() + "/ca.pem"
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := New(Options{URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1), Key: "k", CAFile: file})
	if err != nil {
		t.Fatal(err)
	}
	err = client.Check(context.Background())
	var setting *SettingError
	if !errors.As(err, &setting) || setting.Setting != "url" || !strings.Contains(err.Error(), "has a certificate with other names") {
		t.Errorf("error %v", err)
	}
}
