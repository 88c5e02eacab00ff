// Package provider contains the resources and data sources of the inventory.
package provider

import (
	"context"
	"errors"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// Address is the address of the provider in configurations.
const Address = "registry.terraform.io/monitoring-inventory/inventory"

type inventoryProvider struct{}

// New returns the provider.
func New() provider.Provider { return inventoryProvider{} }

func (inventoryProvider) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "inventory"
	response.Version = fields.Version
}

func (inventoryProvider) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Nodes, services and agents of a monitoring inventory.",
		Attributes: map[string]schema.Attribute{
			"url":      schema.StringAttribute{Optional: true, MarkdownDescription: "Address of the server. Default: the environment variable `INVENTORY_URL`."},
			"key":      schema.StringAttribute{Optional: true, Sensitive: true, MarkdownDescription: "API key. Default: the environment variable `INVENTORY_KEY`."},
			"key_file": schema.StringAttribute{Optional: true, MarkdownDescription: "File with the API key, read for each request. Default: the environment variable `INVENTORY_KEY_FILE`."},
			"ca_file":  schema.StringAttribute{Optional: true, MarkdownDescription: "Certificates of authorities in PEM. Default: the environment variable `INVENTORY_CA`, then those of the system."},
			"insecure": schema.BoolAttribute{Optional: true, MarkdownDescription: "Do not verify the certificate: everybody on the network can then read the key. Default: the environment variable `INVENTORY_INSECURE`."},
		},
	}
}

type configuration struct {
	URL      types.String `tfsdk:"url"`
	Key      types.String `tfsdk:"key"`
	KeyFile  types.String `tfsdk:"key_file"`
	CAFile   types.String `tfsdk:"ca_file"`
	Insecure types.Bool   `tfsdk:"insecure"`
}

func (c configuration) hasUnknown() bool {
	return c.URL.IsUnknown() || c.Key.IsUnknown() || c.KeyFile.IsUnknown() || c.CAFile.IsUnknown() || c.Insecure.IsUnknown()
}

func (inventoryProvider) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var given configuration
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if response.Diagnostics.HasError() {
		return
	}
	use := func(client *inventory.Client) {
		response.ResourceData, response.DataSourceData, response.EphemeralResourceData = client, client, client
	}
	// The server of the same apply, for example. The plan of a new resource sends no request.
	if given.hasUnknown() {
		use(inventory.WithoutSettings(errors.New("A setting of the provider is known only after the apply. Apply the resource that it depends on first, with -target.")))
		return
	}
	options := optionsOf(given)
	if options.URL == "" {
		response.Diagnostics.AddAttributeError(path.Root("url"), "No server", "Set url, or the environment variable INVENTORY_URL.")
		return
	}
	if options.Key == "" && options.KeyFile == "" {
		response.Diagnostics.AddError("No key", "Set the environment variable INVENTORY_KEY or INVENTORY_KEY_FILE, or key_file or key.")
		return
	}
	client, err := inventory.New(options)
	if err == nil {
		// Each object would repeat an error that has one cause.
		err = client.Check(ctx)
	}
	if err != nil {
		reportSetting(&response.Diagnostics, err)
		return
	}
	use(client)
}

func optionsOf(given configuration) inventory.Options {
	or := func(value types.String, variable string) string {
		if value.ValueString() != "" {
			return value.ValueString()
		}
		return os.Getenv(variable)
	}
	options := inventory.Options{
		URL:       or(given.URL, "INVENTORY_URL"),
		Key:       given.Key.ValueString(),
		KeyFile:   given.KeyFile.ValueString(),
		CAFile:    or(given.CAFile, "INVENTORY_CA"),
		Insecure:  given.Insecure.ValueBool(),
		UserAgent: "terraform-provider-inventory/" + fields.Version,
	}
	if given.Insecure.IsNull() {
		variable := os.Getenv("INVENTORY_INSECURE")
		options.Insecure = variable == "1" || variable == "true"
	}
	// A key in the configuration has precedence over those in the environment.
	if options.Key == "" && options.KeyFile == "" {
		options.Key = os.Getenv("INVENTORY_KEY")
	}
	if options.Key == "" && options.KeyFile == "" {
		options.KeyFile = os.Getenv("INVENTORY_KEY_FILE")
	}
	return options
}

func (inventoryProvider) Resources(context.Context) []func() resource.Resource {
	resources := []func() resource.Resource{
		func() resource.Resource { return &scopeResource{} },
		func() resource.Resource { return &keyResource{} },
	}
	for _, kind := range kinds {
		resources = append(resources, func() resource.Resource { return &objectResource{kind: kind} })
	}
	return resources
}

func (inventoryProvider) DataSources(context.Context) []func() datasource.DataSource {
	var sources []func() datasource.DataSource
	for _, kind := range kinds {
		sources = append(sources,
			func() datasource.DataSource { return &listSource{kind: kind} },
			func() datasource.DataSource { return &objectSource{kind: kind} })
	}
	return sources
}

func (inventoryProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &ephemeralKey{} }}
}

var kinds = []fields.Kind{fields.Node, fields.Service, fields.Agent}

// clientOf returns the client of a configured provider; nil before its configuration.
func clientOf(data any) *inventory.Client {
	client, _ := data.(*inventory.Client)
	return client
}
