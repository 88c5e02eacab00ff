package provider

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// listSource has the objects of a kind that match all of its filters.
type listSource struct {
	kind   fields.Kind
	client *inventory.Client
}

// objectSource is one object, by its identity.
type objectSource struct {
	kind   fields.Kind
	client *inventory.Client
}

var (
	_ datasource.DataSourceWithConfigure = (*listSource)(nil)
	_ datasource.DataSourceWithConfigure = (*objectSource)(nil)
)

func (s *listSource) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = "inventory_" + s.kind.List()
}

func (s *listSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	all := dataAttributes(s.kind.Filters, isOptional)
	all[s.kind.List()] = schema.ListNestedAttribute{
		Computed:            true,
		MarkdownDescription: "The objects, in the order of the API.",
		NestedObject:        schema.NestedAttributeObject{Attributes: dataAttributes(slices.Concat(s.kind.Desired, s.kind.Computed), isComputed)},
	}
	response.Schema = schema.Schema{MarkdownDescription: "The " + s.kind.List() + " that match all filters.", Attributes: all}
}

func (s *listSource) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	s.client = clientOf(request.ProviderData)
}

func (s *listSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	config, err := toAttributes(request.Config.Raw)
	if err != nil {
		response.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	query := url.Values{"include": {"state"}}
	for _, filter := range s.kind.Filters {
		if value := config[filter.Name]; value != nil {
			query.Set(filter.Name, fmt.Sprint(value))
		}
	}
	objects, err := s.client.List(ctx, s.kind.List(), query)
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be read", s.kind.List()), err.Error())
		return
	}
	all, err := attributesOf(ctx, s.client, s.kind, objects)
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be read", s.kind.List()), err.Error())
		return
	}
	list := make([]any, len(all))
	for index, one := range all {
		list[index] = one
	}
	config[s.kind.List()] = list
	response.State.Raw = toValue(request.Config.Raw.Type(), config)
}

func (s *objectSource) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = "inventory_" + s.kind.Name
}

// identity has the attributes that the user sets: a name is enough for nodes and services.
func (s *objectSource) identity() []string {
	if s.kind.Name == fields.Agent.Name {
		return s.kind.Identity
	}
	return s.kind.Identity[1:]
}

func (s *objectSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	all := dataAttributes(slices.Concat(s.kind.Desired, s.kind.Computed), isComputed)
	for _, name := range s.identity() {
		field, _ := fields.Find(s.kind.Desired, name)
		m := hasDefault
		if len(field.Required) == len(s.kind.Types) {
			m = isRequired
		}
		all[name] = dataAttribute(field, m)
	}
	response.Schema = schema.Schema{MarkdownDescription: "One " + s.kind.Name + ", by its identity.", Attributes: all}
}

func (s *objectSource) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	s.client = clientOf(request.ProviderData)
}

func (s *objectSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	config, err := toAttributes(request.Config.Raw)
	if err != nil {
		response.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	object, err := findByIdentity(ctx, s.client, s.kind, config)
	if errors.Is(err, errNotFound) {
		response.Diagnostics.AddError(fmt.Sprintf("The %s does not exist", s.kind.Name), "No object has this identity.")
		return
	}
	if err == nil {
		// With its state, which the search omits.
		var objects []inventory.Fields
		query := url.Values{"include": {"state"}, "selector": {fmt.Sprintf("%s=%s", s.kind.ID(), text(object[s.kind.ID()]))}}
		objects, err = s.client.List(ctx, s.kind.List(), query)
		if len(objects) > 0 {
			object = objects[0]
		}
	}
	var all []attributes
	if err == nil {
		all, err = attributesOf(ctx, s.client, s.kind, []inventory.Fields{object})
	}
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be read", s.kind.Name), err.Error())
		return
	}
	response.State.Raw = toValue(request.Config.Raw.Type(), all[0])
}
