// The provider of Terraform and OpenTofu for the monitoring inventory.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/provider"
)

func main() {
	if err := providerserver.Serve(context.Background(), provider.New, providerserver.ServeOpts{Address: provider.Address}); err != nil {
		log.Fatal(err)
	}
}
