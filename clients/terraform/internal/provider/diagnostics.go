package provider

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// attributeNames has the attributes that stand for a field with ids.
var attributeNames = map[string]string{"node_ids": "node_names", "runs_on_node_id": "runs_on_node_name", "pmm_agent_id": "runs_on_node_name"}

// reportSetting adds the error of a first call, at the argument that is wrong.
func reportSetting(diagnostics *diag.Diagnostics, err error) {
	const summary = "The server cannot be called"
	var setting *inventory.SettingError
	if errors.As(err, &setting) && setting.Setting != "" {
		diagnostics.AddAttributeError(path.Root(setting.Setting), summary, err.Error())
		return
	}
	diagnostics.AddError(summary, err.Error())
}

// report adds an error, at the attributes that the server names.
func report(diagnostics *diag.Diagnostics, kind fields.Kind, summary string, err error) {
	refusal, _ := inventory.Refused(err)
	isReported := false
	if refusal != nil {
		for _, one := range refusal.Details {
			name, _, _ := strings.Cut(one.Field, ".")
			if attribute, isReference := attributeNames[name]; isReference {
				name = attribute
			}
			for _, field := range kind.Desired {
				if field.Key() == name {
					diagnostics.AddAttributeError(path.Root(field.Name), summary, one.Field+": "+one.Message)
					isReported = true
				}
			}
		}
	}
	if !isReported {
		diagnostics.AddError(summary, err.Error())
	}
}
