// The provider of Terraform and OpenTofu for the monitoring inventory.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/provider"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("terraform-provider-inventory", fields.Version)
		return
	}
	if err := providerserver.Serve(context.Background(), provider.New, providerserver.ServeOpts{Address: provider.Address}); err != nil {
		log.Fatal(err)
	}
}
