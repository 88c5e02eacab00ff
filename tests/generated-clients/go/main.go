// One call each with a generated client: a node is added and read, then the inventory is exported and imported.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"example.com/inventory-client/inventory"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	base, key, caFile := os.Args[1], os.Args[2], os.Args[3]
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(must(os.ReadFile(caFile)))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := must(inventory.NewClientWithResponses(base, inventory.WithHTTPClient(&http.Client{Transport: transport}),
		inventory.WithRequestEditorFn(authorize)))
	ctx := context.Background()

	body := inventory.AddNode{}
	if err := body.FromAddGenericNode(inventory.AddGenericNode{NodeName: "from-go", Address: "192.0.2.7"}); err != nil {
		panic(err)
	}
	added := must(client.AddNodeWithResponse(ctx, nil, body))
	if added.JSON201 == nil {
		panic(string(added.Body))
	}
	node := must(added.JSON201.AsGenericNode())
	read := must(client.GetNodeWithResponse(ctx, node.NodeId, nil))
	got := must(read.JSON200.AsGenericNode())

	exported := must(client.ExportInventoryWithResponse(ctx, nil))
	imported := must(client.ImportInventoryWithBodyWithResponse(ctx, nil, "application/x-ndjson", bytes.NewReader(exported.Body)))
	if imported.JSON200 == nil {
		panic(string(imported.Body))
	}
	fmt.Printf("%s %d %d\n", got.NodeName, imported.JSON200.Unchanged, imported.JSON200.Refused)
}
