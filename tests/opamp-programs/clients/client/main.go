// A client of opamp-go: connects by HTTP or, for wss://, by a WebSocket, describes itself, and runs until its input ends. Its own
// interval is an hour.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/open-telemetry/opamp-go/client"
	"github.com/open-telemetry/opamp-go/client/types"
	"github.com/open-telemetry/opamp-go/protobufs"
)

type silent struct{}

func (silent) Debugf(context.Context, string, ...any) {}

func (silent) Errorf(_ context.Context, format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
}

func text(key, value string) *protobufs.KeyValue {
	return &protobufs.KeyValue{Key: key, Value: &protobufs.AnyValue{
		Value: &protobufs.AnyValue_StringValue{StringValue: value},
	}}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The endpoint, the file of the certificate, the file of the credential and the name are arguments.
func main() {
	endpoint, certificate, credential, name := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	pem, err := os.ReadFile(certificate)
	check(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	authorization, err := os.ReadFile(credential)
	check(err)
	one := client.OpAMPClient(client.NewHTTP(silent{}))
	if strings.HasPrefix(endpoint, "wss:") {
		one = client.NewWebSocket(silent{})
	}
	check(one.SetAgentDescription(&protobufs.AgentDescription{
		IdentifyingAttributes: []*protobufs.KeyValue{text("service.name", name), text("service.version", "1.2.3")},
	}))
	check(one.SetHealth(&protobufs.ComponentHealth{Healthy: false, LastError: "not ready"}))
	capabilities := protobufs.AgentCapabilities_AgentCapabilities_ReportsStatus |
		protobufs.AgentCapabilities_AgentCapabilities_ReportsHealth |
		protobufs.AgentCapabilities_AgentCapabilities_ReportsHeartbeat
	check(one.SetCapabilities(&capabilities))
	hour := time.Hour
	settings := types.StartSettings{
		HeartbeatInterval: &hour,
		OpAMPServerURL:    endpoint,
		Header:            http.Header{"Authorization": []string{string(authorization)}},
		TLSConfig:         &tls.Config{RootCAs: pool},
		InstanceUid:       types.InstanceUid(uuid.New()),
		EnableCompression: true,
		Callbacks: types.Callbacks{
			OnConnect: func(context.Context) { fmt.Println("connected") },
			OnMessage: func(context.Context, *types.MessageData) {},
		},
	}
	check(one.Start(context.Background(), settings))
	_, _ = io.Copy(io.Discard, os.Stdin)
	check(one.Stop(context.Background()))
}
