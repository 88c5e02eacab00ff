package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
)

// ValidateConfig refuses a field that objects of the type do not have, an absent one that they require, and values out of
// range. The server knows more rules.
func (r *objectResource) ValidateConfig(_ context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	config, err := toAttributes(request.Config.Raw)
	if err != nil {
		response.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	given := config[r.kind.TypeField()]
	objectType, isKnown := given.(string)
	for _, field := range r.kind.Desired {
		value := config[field.Name]
		at := path.Root(field.Name)
		switch {
		case isKnown && value != nil && !field.In(objectType):
			response.Diagnostics.AddAttributeError(at, "Not an attribute of this type",
				fmt.Sprintf("A %s of the type %s has no %s.", r.kind.Name, objectType, field.Name))
		case isKnown && value == nil && slices.Contains(field.Required, objectType):
			response.Diagnostics.AddAttributeError(at, "Required",
				fmt.Sprintf("A %s of the type %s requires %s.", r.kind.Name, objectType, field.Name))
		default:
			checkValue(&response.Diagnostics, at, field, value)
		}
	}
}

func checkValue(diagnostics *diag.Diagnostics, at path.Path, field fields.Field, value any) {
	switch value := value.(type) {
	case string:
		if len(field.Words) > 0 && !slices.Contains(field.Words, value) {
			diagnostics.AddAttributeError(at, "Invalid value", "Must be one of: "+strings.Join(field.Words, ", ")+".")
		}
	case int64:
		if field.Least != nil && value < *field.Least || field.Most != nil && value > *field.Most {
			diagnostics.AddAttributeError(at, "Out of range", rangeOf(field))
		}
	}
}

func rangeOf(field fields.Field) string {
	switch {
	case field.Most == nil:
		return fmt.Sprintf("Must be at least %d.", *field.Least)
	case field.Least == nil:
		return fmt.Sprintf("Must be at most %d.", *field.Most)
	default:
		return fmt.Sprintf("Must be from %d to %d.", *field.Least, *field.Most)
	}
}

// ModifyPlan applies the rules for new values, sets the defaults of the type of the object, and says which computed values stay.
func (r *objectResource) ModifyPlan(_ context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() {
		return
	}
	config, err := toAttributes(request.Config.Raw)
	if err != nil {
		response.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	plan := r.planned(config)
	if request.State.Raw.IsNull() {
		// An object that is taken over may have values that a new one may not have.
		if config["adopt"] != true {
			r.checkNewValues(&response.Diagnostics, config, attributes{})
		}
		for _, name := range r.computed() {
			plan[name] = unknown
		}
		response.Plan.Raw = toValue(request.Plan.Raw.Type(), plan)
		return
	}
	prior, err := toAttributes(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	r.checkNewValues(&response.Diagnostics, config, prior)
	for _, name := range r.computed() {
		plan[name] = prior[name]
	}
	if r.differ(plan, prior) {
		plan["updated_at"], plan["revision"] = unknown, unknown
	}
	for _, name := range r.kind.Identity {
		field, _ := fields.Find(r.kind.Desired, name)
		if !areEqual(field, plan[name], prior[name]) {
			response.RequiresReplace = append(response.RequiresReplace, path.Root(name))
		}
	}
	response.Plan.Raw = toValue(request.Plan.Raw.Type(), plan)
}

// checkNewValues applies the rules for new values. The object keeps the values of its prior state.
func (r *objectResource) checkNewValues(diagnostics *diag.Diagnostics, config, prior attributes) {
	for _, field := range r.kind.Desired {
		value, isText := config[field.Name].(string)
		rule := r.kind.Rule(field)
		if rule == nil || !isText || value == prior[field.Name] {
			continue
		}
		if fault := rule.Fault(value); fault != "" {
			diagnostics.AddAttributeError(path.Root(field.Name), "Invalid value", fault)
		}
	}
}

// planned returns a configuration with the defaults of the type.
func (r *objectResource) planned(config attributes) attributes {
	plan := attributes{"adopt": config["adopt"], "force_destroy": config["force_destroy"]}
	objectType, isKnown := config[r.kind.TypeField()].(string)
	for _, field := range r.kind.Desired {
		value := config[field.Name]
		switch {
		case isUnknown(value):
			plan[field.Name] = unknown
		case !isKnown && value == nil && field.Default != nil:
			plan[field.Name] = unknown
		case value == nil && !field.In(objectType):
			plan[field.Name] = nil
		default:
			plan[field.Name] = field.Complete(value)
		}
	}
	if r.kind.Name == fields.Agent.Name && fields.WatchesItsNode[objectType] {
		plan["insights"] = ownTargets(config["insights"], plan["insights"], plan["runs_on_node_name"])
	}
	return plan
}

// ownTargets returns the planned targets of an agent that monitors its own node if the configuration has none.
func ownTargets(config, plan, node any) any {
	given, _ := config.(attributes)
	targets, isObject := plan.(attributes)
	if !isObject || given["node_names"] != nil || isUnknown(given["service_names"]) || len(texts(given["service_names"])) > 0 {
		return plan
	}
	return attributes{"node_names": []any{node}, "service_names": targets["service_names"]}
}
