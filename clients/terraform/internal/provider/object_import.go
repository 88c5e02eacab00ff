package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// ImportState finds a node or a service by its name or id, and an agent by its id or its identity.
func (r *objectResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	object, err := r.findToImport(ctx, request.ID)
	switch {
	case errors.Is(err, errNotFound):
		response.Diagnostics.AddError(fmt.Sprintf("The %s does not exist", r.kind.Name), fmt.Sprintf("No %s is %s.", r.kind.Name, request.ID))
	case err != nil:
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be imported", r.kind.Name), err.Error())
	default:
		r.setState(ctx, &response.Diagnostics, &response.State.Raw, attributes{}, object)
	}
}

func (r *objectResource) findToImport(ctx context.Context, id string) (inventory.Fields, error) {
	if r.kind.Name != fields.Agent.Name {
		object, err := findOne(ctx, r.client, r.kind, r.kind.Identity[1], id)
		if !errors.Is(err, errNotFound) || !uuid.MatchString(id) {
			return object, err
		}
		return findByID(ctx, r.client, r.kind, id)
	}
	if uuid.MatchString(id) {
		return findByID(ctx, r.client, r.kind, id)
	}
	identity := struct {
		Type     string     `json:"agent_type"`
		Node     string     `json:"runs_on_node_name"`
		Insights attributes `json:"insights"`
	}{}
	if err := json.Unmarshal([]byte(id), &identity); err != nil {
		return nil, fmt.Errorf(`an agent is imported by its id, or by its identity as in reconcile documents: `+
			`{"agent_type": "mysqld_exporter", "runs_on_node_name": "db-1", "insights": {"service_names": ["orders"]}}: %w`, err)
	}
	return findByIdentity(ctx, r.client, r.kind, attributes{
		"agent_type": identity.Type, "runs_on_node_name": identity.Node, "insights": identity.Insights,
	})
}
