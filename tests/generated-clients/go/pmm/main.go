// The life of a host with a client generated from swagger/pmm.json: it registers, gets a service with its agents, is changed,
// listed and removed.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"example.com/inventory-client/pmmapi"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }

func main() {
	base, key, caFile := os.Args[1], os.Args[2], os.Args[3]
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(must(os.ReadFile(caFile)))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	authorize := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth("service_token", key)
		return nil
	}
	client := must(pmmapi.NewClientWithResponses(base, pmmapi.WithHTTPClient(&http.Client{Transport: transport}),
		pmmapi.WithRequestEditorFn(authorize)))
	ctx := context.Background()

	host := must(client.RegisterNodeWithResponse(ctx, pmmapi.RegisterNodeRequest{
		NodeName: pointer("pmm-go"), NodeType: pointer(pmmapi.NODETYPEGENERICNODE), Address: pointer("192.0.2.7"),
	})).JSON200
	nodeID, agentID := host.GenericNode.NodeId, host.PmmAgent.AgentId
	added := must(client.AddManagedServiceWithResponse(ctx, pmmapi.AddManagedServiceRequest{Mysql: &pmmapi.AddMysqlRequest{
		NodeId: nodeID, PmmAgentId: agentID, ServiceName: pointer("pmm-go-mysql"), Username: pointer("u"),
		Address: pointer("192.0.2.7"), Port: pointer(int64(3306)), QanMysqlSlowlog: pointer(true),
	}})).JSON200
	exporter := *added.Mysql.MysqldExporter.AgentId
	changed := must(client.ChangeAgentWithResponse(ctx, exporter, pmmapi.ChangeAgentRequest{
		MysqldExporter: &pmmapi.ChangeMySQLdExporterParams{Enable: pointer(false)},
	})).JSON200
	listed := must(client.ListServicesWithResponse(ctx, &pmmapi.ListServicesParams{NodeId: nodeID})).JSON200
	got := must(client.GetNodeWithResponse(ctx, *nodeID)).JSON200
	removed := must(client.RemoveManagedServiceWithResponse(ctx, "pmm-go-mysql", nil)).StatusCode()
	force := &pmmapi.RemoveNodeParams{Force: pointer(true)}
	gone := must(client.RemoveNodeWithResponse(ctx, *nodeID, force)).StatusCode()
	missing := must(client.GetNodeWithResponse(ctx, *nodeID)).JSONDefault
	fmt.Printf("%s %d %t %d %d %d\n", *got.Generic.NodeName, len(*listed.Mysql), *changed.MysqldExporter.Disabled, removed, gone,
		*missing.Code)
}
