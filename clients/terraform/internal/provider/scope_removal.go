package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// empty removes all objects of a scope. The server refuses an empty desired state, so a reconciliation first removes all
// objects but one, which nothing then depends on.
func (r *scopeResource) empty(ctx context.Context, body inventory.Fields) error {
	kind, last := lastObject(body)
	if last == nil {
		return nil
	}
	body["max_removals_percent"] = 100
	body["desired"] = inventory.Fields{kind.List(): []any{last}}
	reply, err := r.reconcile(ctx, body, "apply")
	if err != nil {
		return err
	}
	if reply.Refusal != "" {
		return errors.New(reply.Refusal)
	}
	if problems := reply.problems(); len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	nameField := kind.Identity[1]
	object, err := findOne(ctx, r.client, kind, nameField, text(last[nameField]))
	if errors.Is(err, errNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = r.client.Do(ctx, inventory.Request{
		Method: http.MethodDelete, Path: fmt.Sprintf("/v1/%s/%s", kind.List(), object[kind.ID()]), IsRepeatable: true,
	}, nil)
	if _, isGone := inventory.Refused(err, http.StatusNotFound); isGone {
		return nil
	}
	return err
}

// lastObject returns the object of a desired state that is removed last: a node, or else a service without nodes.
func lastObject(body inventory.Fields) (fields.Kind, attributes) {
	desired, _ := body["desired"].(attributes)
	for _, kind := range []fields.Kind{fields.Node, fields.Service} {
		if list, _ := desired[kind.List()].([]any); len(list) > 0 {
			last, _ := list[0].(attributes)
			return kind, last
		}
	}
	return fields.Kind{}, nil
}
