package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// Configurations refer to other objects by name, requests by id. This file converts them.

// body returns the fields of an object in a request: all, without identity if it exists already.
func body(ctx context.Context, client *inventory.Client, kind fields.Kind, values attributes, exists bool) (inventory.Fields, error) {
	all := kind.Desired
	if exists {
		all = slices.DeleteFunc(slices.Clone(all), func(one fields.Field) bool { return slices.Contains(kind.Identity, one.Name) })
	}
	objectType := text(values[kind.TypeField()])
	object := toAPI(all, objectType, values, exists)
	if names, refers := object["node_names"]; refers {
		ids, err := client.IDs(ctx, "node", texts(names))
		if err != nil {
			return nil, err
		}
		delete(object, "node_names")
		object["node_ids"] = ids
	}
	if kind.Name != fields.Agent.Name || exists {
		return object, nil
	}
	place, err := placeOf(ctx, client, values)
	if err != nil {
		return nil, err
	}
	delete(object, "runs_on_node_name")
	maps.Copy(object, place)
	object["insights"], err = targetIDs(ctx, client, values["insights"])
	return object, err
}

// placeOf returns the field with the place of an agent.
func placeOf(ctx context.Context, client *inventory.Client, values attributes) (inventory.Fields, error) {
	name := text(values["runs_on_node_name"])
	if name == "" {
		return inventory.Fields{}, nil
	}
	ids, err := client.IDs(ctx, "node", []string{name})
	if err != nil {
		return nil, err
	}
	if !fields.UnderProcess[text(values["agent_type"])] {
		return inventory.Fields{"runs_on_node_id": ids[0]}, nil
	}
	processes, err := client.List(ctx, "agents", url.Values{"agent_type": {"pmm_agent"}, "runs_on_node_id": {ids[0]}})
	if err != nil {
		return nil, err
	}
	process, exists := oldest(processes)
	if !exists {
		return nil, fmt.Errorf("no pmm_agent runs on the node %q: this agent requires one", name)
	}
	return inventory.Fields{"pmm_agent_id": process["agent_id"]}, nil
}

// oldest returns the agent that the inventory prefers among agents with one natural key.
func oldest(agents []inventory.Fields) (inventory.Fields, bool) {
	if len(agents) == 0 {
		return nil, false
	}
	order := func(one inventory.Fields) string { return text(one["created_at"]) + text(one["agent_id"]) }
	return slices.MinFunc(agents, func(left, right inventory.Fields) int {
		if order(left) < order(right) {
			return -1
		}
		return 1
	}), true
}

func targetIDs(ctx context.Context, client *inventory.Client, value any) (inventory.Fields, error) {
	names, _ := value.(attributes)
	nodes, err := client.IDs(ctx, "node", texts(names["node_names"]))
	if err != nil {
		return nil, err
	}
	services, err := client.IDs(ctx, "service", texts(names["service_names"]))
	return inventory.Fields{"node_ids": nodes, "service_ids": services}, err
}

// attributesOf returns all attributes of objects, with names in place of ids.
func attributesOf(ctx context.Context, client *inventory.Client, kind fields.Kind, objects []inventory.Fields) ([]attributes, error) {
	var nodes, services []string
	for _, object := range objects {
		insights, _ := object["insights"].(inventory.Fields)
		nodes = slices.Concat(nodes, texts(object["node_ids"]), texts(insights["node_ids"]))
		services = slices.Concat(services, texts(insights["service_ids"]))
		if id := text(object["runs_on_node_id"]); id != "" {
			nodes = append(nodes, id)
		}
	}
	nodeNames, err := client.Names(ctx, "node", nodes)
	if err != nil {
		return nil, err
	}
	serviceNames, err := client.Names(ctx, "service", services)
	if err != nil {
		return nil, err
	}
	all := make([]attributes, len(objects))
	for index, object := range objects {
		values := fromAPI(slices.Concat(kind.Desired, kind.Computed), object)
		if ids, refers := object["node_ids"]; refers {
			values["node_names"] = namesOf(ids, nodeNames)
		}
		if id := text(object["runs_on_node_id"]); id != "" {
			values["runs_on_node_name"] = nodeNames[id]
		}
		if insights, refers := object["insights"].(inventory.Fields); refers {
			values["insights"] = attributes{
				"node_names":    namesOf(insights["node_ids"], nodeNames),
				"service_names": namesOf(insights["service_ids"], serviceNames),
			}
		}
		all[index] = values
	}
	return all, nil
}

func namesOf(ids any, byID map[string]string) []any {
	list := []any{}
	for _, id := range texts(ids) {
		if name, exists := byID[id]; exists {
			list = append(list, name)
		}
	}
	return list
}

var errNotFound = errors.New("not found")

// findByID returns an object, as lists contain it: without values of reports.
func findByID(ctx context.Context, client *inventory.Client, kind fields.Kind, id string) (inventory.Fields, error) {
	return findOne(ctx, client, kind, kind.ID(), id)
}

func findOne(ctx context.Context, client *inventory.Client, kind fields.Kind, attribute, value string) (inventory.Fields, error) {
	found, err := client.Find(ctx, kind.Name, attribute, []string{value})
	if err != nil {
		return nil, err
	}
	object, exists := found[value]
	if !exists {
		return nil, errNotFound
	}
	return object, nil
}

// findByIdentity returns the object with these values of the identity. The type of a named object may differ.
func findByIdentity(ctx context.Context, client *inventory.Client, kind fields.Kind, values attributes) (inventory.Fields, error) {
	if kind.Name != fields.Agent.Name {
		return findOne(ctx, client, kind, kind.Identity[1], text(values[kind.Identity[1]]))
	}
	wanted, err := targetIDs(ctx, client, values["insights"])
	if err != nil {
		return nil, err
	}
	query := url.Values{"agent_type": {text(values["agent_type"])}}
	var node string
	if name := text(values["runs_on_node_name"]); name != "" {
		ids, err := client.IDs(ctx, "node", []string{name})
		if err != nil {
			return nil, err
		}
		node = ids[0]
		query.Set("runs_on_node_id", node)
	}
	agents, err := client.List(ctx, "agents", query)
	if err != nil {
		return nil, err
	}
	isOwn := func(insights inventory.Fields) bool {
		nodes, services := texts(insights["node_ids"]), texts(insights["service_ids"])
		return fields.WatchesItsNode[text(values["agent_type"])] && len(services) == 0 &&
			(len(nodes) == 0 || len(nodes) == 1 && nodes[0] == node)
	}
	wanted = inventory.Fields{"node_ids": anyList(wanted["node_ids"].([]string)), "service_ids": anyList(wanted["service_ids"].([]string))}
	same := slices.DeleteFunc(agents, func(one inventory.Fields) bool {
		insights, _ := one["insights"].(inventory.Fields)
		return text(one["runs_on_node_id"]) != node || !haveSameTargets(insights, wanted) && !(isOwn(insights) && isOwn(wanted))
	})
	agent, exists := oldest(same)
	if !exists {
		return nil, errNotFound
	}
	return agent, nil
}

func haveSameTargets(left, right inventory.Fields) bool {
	for _, list := range []string{"node_ids", "service_ids"} {
		ids, others := texts(left[list]), texts(right[list])
		slices.Sort(ids)
		slices.Sort(others)
		if !slices.Equal(ids, others) {
			return false
		}
	}
	return true
}
