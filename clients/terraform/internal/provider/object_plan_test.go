package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
)

// faultsOf plans a configuration, and returns the messages of its faults.
func faultsOf(kind fields.Kind, config, prior attributes) []string {
	ctx := context.Background()
	r := &objectResource{kind: kind}
	var described resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &described)
	typ := described.Schema.Type().TerraformType(ctx)
	state := tftypes.NewValue(typ, nil)
	if prior != nil {
		state = toValue(typ, prior)
	}
	raw := toValue(typ, config)
	request := resource.ModifyPlanRequest{
		Config: tfsdk.Config{Schema: described.Schema, Raw: raw},
		Plan:   tfsdk.Plan{Schema: described.Schema, Raw: raw},
		State:  tfsdk.State{Schema: described.Schema, Raw: state},
	}
	response := resource.ModifyPlanResponse{Plan: request.Plan}
	r.ModifyPlan(ctx, request, &response)
	faults := []string{}
	for _, one := range response.Diagnostics.Errors() {
		faults = append(faults, one.Detail())
	}
	return faults
}

func TestPlansApplyTheRulesForNewValues(t *testing.T) {
	node := func(address any, more attributes) attributes {
		values := attributes{"node_type": "generic", "node_name": "db-1", "address": address}
		for name, value := range more {
			values[name] = value
		}
		return values
	}
	cases := []struct {
		name          string
		kind          fields.Kind
		config, prior attributes
		fault         string
	}{
		{"a new object", fields.Node, node("10.0.0.1:3306", nil), nil, "Must be a host name"},
		{"a valid one", fields.Node, node("10.0.0.1", nil), nil, ""},
		{"a value that is known after the apply", fields.Node, node(unknown, nil), nil, ""},
		{"a value that the object has", fields.Node, node("127.0.0.1", nil), node("127.0.0.1", nil), ""},
		{"another value", fields.Node, node("127.0.0.2", nil), node("127.0.0.1", nil), "Must not be a loopback"},
		{"an object that is taken over", fields.Node, node("127.0.0.1", attributes{"adopt": true}), nil, ""},
		{"one that was taken over", fields.Node, node("127.0.0.2", attributes{"adopt": true}), node("127.0.0.1", nil), "Must not be a loopback"},
		{"a path", fields.Service, attributes{"service_type": "mysql", "service_name": "s", "socket": "mysqld.sock"}, nil, "Must be an absolute path"},
		{"a name", fields.Service, attributes{"service_type": "external", "service_name": " s"}, nil, "white space: U+0020 (character 1)"},
		{"an agent", fields.Agent, attributes{"agent_type": "external_exporter", "listen_port": int64(1), "metrics_path": "//a"}, nil, "exactly one slash"},
	}
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			faults := strings.Join(faultsOf(one.kind, one.config, one.prior), "\n")
			if one.fault == "" && faults != "" || !strings.Contains(faults, one.fault) {
				t.Errorf("%q instead of %q", faults, one.fault)
			}
		})
	}
}
