package provider

import (
	"context"
	"net/http"
	"net/url"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// reportedField is declared, but a report of the agent process replaces it in replies. So a list omits it.
const reportedField = "listen_port"

// declared returns the attributes of an object as they were declared.
func (r *objectResource) declared(ctx context.Context, prior attributes, object inventory.Fields) (attributes, error) {
	all, err := attributesOf(ctx, r.client, r.kind, []inventory.Fields{object})
	if err != nil {
		return nil, err
	}
	values := all[0]
	objectType := text(values[r.kind.TypeField()])
	field, isReported := fields.Find(r.kind.Desired, reportedField)
	if !isReported || !field.In(objectType) || !fields.UnderProcess[objectType] {
		return values, nil
	}
	if prior["revision"] == values["revision"] {
		values[reportedField] = prior[reportedField]
		return values, nil
	}
	values[reportedField], err = r.lastDeclared(ctx, field, text(values[r.kind.ID()]))
	return values, err
}

// lastDeclared returns the value of a field from the newest change of an object that contains it.
func (r *objectResource) lastDeclared(ctx context.Context, field fields.Field, id string) (any, error) {
	query := url.Values{}
	for {
		var page struct {
			Changes []struct {
				Action string           `json:"action"`
				Before inventory.Fields `json:"before"`
				After  inventory.Fields `json:"after"`
			} `json:"changes"`
			Next string `json:"next_page_token"`
		}
		path := "/v1/" + r.kind.List() + "/" + url.PathEscape(id)
		_, err := r.client.Do(ctx, inventory.Request{Method: http.MethodGet, Path: path + "/history", Query: query, IsRepeatable: true}, &page)
		if err != nil {
			return nil, err
		}
		for _, change := range page.Changes {
			value, isSet := change.After[field.Key()]
			if _, isCleared := change.Before[field.Key()]; isSet || isCleared || change.Action == "added" {
				return normal(field, value), nil
			}
		}
		if page.Next != "" {
			query.Set("page_token", page.Next)
			continue
		}
		// The change is too old for the history. The reported value is as good as any.
		object := inventory.Fields{}
		_, err = r.client.Do(ctx, inventory.Request{Method: http.MethodGet, Path: path, IsRepeatable: true}, &object)
		return normal(field, object[field.Key()]), err
	}
}
