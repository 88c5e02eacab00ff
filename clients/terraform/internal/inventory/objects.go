package inventory

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Fields is an object of the API.
type Fields = map[string]any

// A selector has at most 50 values in a list, and 2,000 characters.
const (
	valuesInSelector = 50
	lengthOfSelector = 1900
)

// names has the names of objects by id.
type names struct{ byID sync.Map }

// Check calls the server once: its error is that of the address, the certificate or the key.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.Do(ctx, Request{Method: http.MethodGet, Path: "/v1/caller", IsRepeatable: true}, &Fields{})
	return err
}

// List returns all objects of a list: "nodes", "services", "agents" or "api_keys".
func (c *Client) List(ctx context.Context, list string, query url.Values) ([]Fields, error) {
	path := "/v1/" + strings.ReplaceAll(list, "_", "-")
	var all []Fields
	page := url.Values{"page_size": {"1000"}}
	for name, values := range query {
		page[name] = values
	}
	for {
		reply := Fields{}
		if _, err := c.Do(ctx, Request{Method: http.MethodGet, Path: path, Query: page, IsRepeatable: true}, &reply); err != nil {
			return nil, err
		}
		objects, _ := reply[list].([]any)
		for _, one := range objects {
			if fields, isObject := one.(Fields); isObject {
				all = append(all, fields)
			}
		}
		token, _ := reply["next_page_token"].(string)
		if token == "" {
			return all, nil
		}
		page.Set("page_token", token)
	}
}

// Find returns the objects of a kind ("node") whose attribute has one of the values, by that value. Objects have only the
// given fields, or all.
func (c *Client) Find(ctx context.Context, kind, attribute string, values []string, fields ...string) (map[string]Fields, error) {
	found := map[string]Fields{}
	for _, selector := range selectors(attribute, values) {
		query := url.Values{"selector": {selector}}
		if len(fields) > 0 {
			query.Set("fields", strings.Join(fields, ","))
		}
		objects, err := c.List(ctx, kind+"s", query)
		if err != nil {
			return nil, err
		}
		for _, one := range objects {
			found[fmt.Sprint(one[attribute])] = one
		}
	}
	return found, nil
}

// selectors returns selectors that together match all values.
func selectors(attribute string, values []string) []string {
	var all, part []string
	length := 0
	end := func() {
		if len(part) > 0 {
			all = append(all, attribute+" in ("+strings.Join(part, ",")+")")
		}
		part, length = nil, 0
	}
	for _, value := range values {
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		if len(part) == valuesInSelector || length+len(quoted) > lengthOfSelector {
			end()
		}
		part = append(part, quoted)
		length += len(quoted) + 1
	}
	end()
	return all
}

// IDs returns the ids of nodes or services, in the order of their names.
func (c *Client) IDs(ctx context.Context, kind string, wanted []string) ([]string, error) {
	if len(wanted) == 0 {
		return []string{}, nil
	}
	nameField, idField := kind+"_name", kind+"_id"
	found, err := c.Find(ctx, kind, nameField, wanted, nameField, idField)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(wanted))
	for index, name := range wanted {
		object, exists := found[name]
		if !exists {
			return nil, fmt.Errorf("the %s %q does not exist", kind, name)
		}
		ids[index] = fmt.Sprint(object[idField])
		c.names.byID.Store(ids[index], name)
	}
	return ids, nil
}

// Names returns the names of nodes or services by id. An object that was removed in the meantime has no name.
func (c *Client) Names(ctx context.Context, kind string, ids []string) (map[string]string, error) {
	known := map[string]string{}
	var missing []string
	for _, id := range ids {
		if name, isKnown := c.names.byID.Load(id); isKnown {
			known[id] = fmt.Sprint(name)
		} else if _, isAsked := known[id]; !isAsked {
			missing = append(missing, id)
		}
	}
	nameField, idField := kind+"_name", kind+"_id"
	found, err := c.Find(ctx, kind, idField, missing, nameField, idField)
	if err != nil {
		return nil, err
	}
	for id, object := range found {
		known[id] = fmt.Sprint(object[nameField])
		c.names.byID.Store(id, known[id])
	}
	return known, nil
}
