package provider

import (
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
)

// mode says who sets an attribute.
type mode struct{ required, optional, computed bool }

var (
	isRequired = mode{required: true}
	isOptional = mode{optional: true}
	isComputed = mode{computed: true}
	// The provider sets the default of the type of the object.
	hasDefault = mode{optional: true, computed: true}
)

// modeOf returns the mode of a field of a resource.
func modeOf(field fields.Field, types []string) mode {
	switch {
	case len(types) > 0 && len(field.Required) == len(types):
		return isRequired
	case field.Default != nil:
		return hasDefault
	default:
		return isOptional
	}
}

func resourceAttribute(field fields.Field, m mode) resource.Attribute {
	description := field.Description
	switch field.Value {
	case fields.Integer:
		return resource.Int64Attribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.Boolean:
		return resource.BoolAttribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextList:
		return resource.ListAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextSet:
		return resource.SetAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextMap:
		return resource.MapAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.Object:
		inner := map[string]resource.Attribute{}
		for _, one := range field.Fields {
			inner[one.Name] = resourceAttribute(one, modeOf(one, nil))
		}
		return resource.SingleNestedAttribute{Attributes: inner, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	default:
		return resource.StringAttribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	}
}

func dataAttribute(field fields.Field, m mode) datasource.Attribute {
	description := field.Description
	switch field.Value {
	case fields.Integer:
		return datasource.Int64Attribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.Boolean:
		return datasource.BoolAttribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextList:
		return datasource.ListAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextSet:
		return datasource.SetAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.TextMap:
		return datasource.MapAttribute{ElementType: types.StringType, Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	case fields.Object:
		return datasource.SingleNestedAttribute{Attributes: dataAttributes(field.Fields, m), Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	default:
		return datasource.StringAttribute{Required: m.required, Optional: m.optional, Computed: m.computed, MarkdownDescription: description}
	}
}

func dataAttributes(all []fields.Field, m mode) map[string]datasource.Attribute {
	attributes := map[string]datasource.Attribute{}
	for _, field := range all {
		attributes[field.Name] = dataAttribute(field, m)
	}
	return attributes
}
