package provider

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// objectResource is a node, a service or an agent.
type objectResource struct {
	kind   fields.Kind
	client *inventory.Client
}

var (
	_ resource.ResourceWithConfigure      = (*objectResource)(nil)
	_ resource.ResourceWithImportState    = (*objectResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*objectResource)(nil)
	_ resource.ResourceWithValidateConfig = (*objectResource)(nil)
)

// The computed fields of a state. Those of reports change all the time, and belong in data sources.
var keptFields = []string{"created_at", "updated_at", "revision"}

func (r *objectResource) computed() []string { return append([]string{r.kind.ID()}, keptFields...) }

func (r *objectResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "inventory_" + r.kind.Name
}

func (r *objectResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"adopt": schema.BoolAttribute{Optional: true, MarkdownDescription: "Take over an existing object with the same identity, " +
			"which then gets the attributes of this resource. Default: an existing object is an error."},
		"force_destroy": schema.BoolAttribute{Optional: true, MarkdownDescription: "The removal also removes the dependent objects. " +
			"Default: it is refused while other objects depend on this one."},
	}
	for _, field := range r.kind.Desired {
		attributes[field.Name] = resourceAttribute(field, modeOf(field, r.kind.Types))
	}
	for _, name := range r.computed() {
		field, _ := fields.Find(r.kind.Computed, name)
		attributes[name] = resourceAttribute(field, isComputed)
	}
	response.Schema = schema.Schema{MarkdownDescription: "A " + r.kind.Name + " of the inventory.", Attributes: attributes}
}

func (r *objectResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.client = clientOf(request.ProviderData)
}

// state returns the state of a desired object with the fields that the server sets.
func (r *objectResource) state(typ tftypes.Type, desired attributes, reply inventory.Fields) tftypes.Value {
	values := attributes{"adopt": desired["adopt"], "force_destroy": desired["force_destroy"]}
	for _, field := range r.kind.Desired {
		values[field.Name] = desired[field.Name]
	}
	for _, name := range r.computed() {
		values[name] = reply[name]
	}
	return toValue(typ, values)
}

func (r *objectResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	plan, err := toAttributes(request.Plan.Raw)
	if err != nil {
		response.Diagnostics.AddError("The plan cannot be read", err.Error())
		return
	}
	object, err := body(ctx, r.client, r.kind, plan, false)
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be added", r.kind.Name), err.Error())
		return
	}
	reply := inventory.Fields{}
	if _, err := r.client.Do(ctx, r.addition(object, plan["adopt"] == true), &reply); err != nil {
		r.reportAddition(ctx, &response.Diagnostics, plan, err)
		return
	}
	response.State.Raw = r.state(request.Plan.Raw.Type(), plan, reply)
}

// addition returns the request that adds an object. Without adoption, an existing object with its identity is an error,
// and a repetition of the request has no second effect.
func (r *objectResource) addition(object inventory.Fields, adopts bool) inventory.Request {
	list := "/v1/" + r.kind.List()
	if r.kind.Name == fields.Agent.Name {
		request := inventory.Request{Method: http.MethodPut, Path: list + "/by-key", Body: object, IsRepeatable: true}
		if !adopts {
			request.Header = map[string]string{"If-None-Match": "*"}
		}
		return request
	}
	if adopts {
		name := url.PathEscape(text(object[r.kind.Identity[1]]))
		return inventory.Request{Method: http.MethodPut, Path: list + "/by-name/" + name, Body: object, IsRepeatable: true}
	}
	header := map[string]string{"Idempotency-Key": rand.Text()}
	return inventory.Request{Method: http.MethodPost, Path: list, Body: object, Header: header, IsRepeatable: true}
}

func (r *objectResource) reportAddition(ctx context.Context, diagnostics *diag.Diagnostics, plan attributes, err error) {
	if _, isConflict := inventory.Refused(err, http.StatusConflict, http.StatusPreconditionFailed); isConflict {
		object, findErr := findByIdentity(ctx, r.client, r.kind, plan)
		if findErr == nil {
			diagnostics.AddError(fmt.Sprintf("The %s exists already", r.kind.Name), r.conflict(plan, object, err))
			return
		}
	}
	report(diagnostics, r.kind, fmt.Sprintf("The %s was not added", r.kind.Name), err)
}

// conflict explains which object stands in the way, and how to continue.
func (r *objectResource) conflict(plan attributes, object inventory.Fields, err error) string {
	typeField := r.kind.TypeField()
	if object[typeField] != plan[typeField] {
		return fmt.Sprintf("It has the type %s, which cannot change. Remove it first.", object[typeField])
	}
	text := fmt.Sprintf("%s exists and does not belong to this state: it was added by other means, by another state, or this "+
		"state was lost. Import it with the id %s, or set adopt = true to take it over.", r.label(plan), r.importID(object))
	if refusal, _ := inventory.Refused(err); refusal != nil && refusal.IsUncertain {
		text += " An earlier request of this apply had no reply: it may have added the object."
	}
	return text
}

// label names an object in messages.
func (r *objectResource) label(values attributes) string {
	if r.kind.Name != fields.Agent.Name {
		return fmt.Sprintf("The %s %q", r.kind.Name, text(values[r.kind.Identity[1]]))
	}
	return fmt.Sprintf("The agent %s on the node %q", text(values["agent_type"]), text(values["runs_on_node_name"]))
}

func (r *objectResource) importID(object inventory.Fields) string {
	if r.kind.Name == fields.Agent.Name {
		return text(object[r.kind.ID()])
	}
	return fmt.Sprintf("%q", text(object[r.kind.Identity[1]]))
}

func (r *objectResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	prior, err := toAttributes(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	object, err := findByID(ctx, r.client, r.kind, text(prior[r.kind.ID()]))
	if errors.Is(err, errNotFound) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be read", r.kind.Name), err.Error())
		return
	}
	r.setState(ctx, &response.Diagnostics, &response.State.Raw, prior, object)
}

// setState stores an object of the inventory in a state.
func (r *objectResource) setState(ctx context.Context, diagnostics *diag.Diagnostics, raw *tftypes.Value, prior attributes, object inventory.Fields) {
	values, err := r.declared(ctx, prior, object)
	if err != nil {
		diagnostics.AddError(fmt.Sprintf("The %s cannot be read", r.kind.Name), err.Error())
		return
	}
	for _, field := range r.kind.Desired {
		values[field.Name] = sameAsPrior(field, prior[field.Name], values[field.Name])
	}
	values["adopt"], values["force_destroy"] = prior["adopt"], prior["force_destroy"]
	*raw = r.state(raw.Type(), values, object)
}

// sameAsPrior returns the prior value if it is an object without values, which the inventory may omit.
func sameAsPrior(field fields.Field, prior, value any) any {
	object, isObject := prior.(attributes)
	if field.Value != fields.Object || !isObject || value != nil {
		return value
	}
	for _, one := range object {
		if one != nil {
			return nil
		}
	}
	return prior
}

func (r *objectResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	plan, planErr := toAttributes(request.Plan.Raw)
	prior, stateErr := toAttributes(request.State.Raw)
	if err := errors.Join(planErr, stateErr); err != nil {
		response.Diagnostics.AddError("The plan cannot be read", err.Error())
		return
	}
	if !r.differ(plan, prior) {
		response.State.Raw = r.state(request.Plan.Raw.Type(), plan, prior)
		return
	}
	patch, err := body(ctx, r.client, r.kind, plan, true)
	if err != nil {
		response.Diagnostics.AddError(fmt.Sprintf("The %s cannot be changed", r.kind.Name), err.Error())
		return
	}
	patch["custom_labels"] = labelChanges(prior["custom_labels"], plan["custom_labels"])
	reply := inventory.Fields{}
	_, err = r.client.Do(ctx, inventory.Request{
		Method: http.MethodPatch, Path: r.path(prior), Body: patch, Header: ifMatch(prior), IsRepeatable: true,
	}, &reply)
	if refusal, isMismatch := inventory.Refused(err, http.StatusPreconditionFailed); isMismatch && refusal.IsUncertain {
		reply, err = r.ownChange(ctx, plan, prior, err)
	}
	if err != nil {
		r.reportChange(&response.Diagnostics, prior, "changed", err)
		return
	}
	response.State.Raw = r.state(request.Plan.Raw.Type(), plan, reply)
}

func (r *objectResource) differ(left, right attributes) bool {
	for _, field := range r.kind.Desired {
		if !areEqual(field, left[field.Name], right[field.Name]) {
			return true
		}
	}
	return false
}

// labelChanges sets the labels of a plan, and removes the others of the prior state.
func labelChanges(prior, plan any) attributes {
	changes := attributes{}
	before, _ := prior.(attributes)
	for name := range before {
		changes[name] = nil
	}
	after, _ := plan.(attributes)
	for name, value := range after {
		changes[name] = value
	}
	return changes
}

func (r *objectResource) path(prior attributes) string {
	return "/v1/" + r.kind.List() + "/" + url.PathEscape(text(prior[r.kind.ID()]))
}

func ifMatch(prior attributes) map[string]string {
	return map[string]string{"If-Match": fmt.Sprintf("%q", fmt.Sprint(prior["revision"]))}
}

// ownChange returns the object if the attempt without a reply has changed it: it is as planned, and has the next revision.
func (r *objectResource) ownChange(ctx context.Context, plan, prior attributes, refusal error) (inventory.Fields, error) {
	object, err := findByID(ctx, r.client, r.kind, text(prior[r.kind.ID()]))
	if err != nil {
		return nil, refusal
	}
	values, err := r.declared(ctx, prior, object)
	if err != nil {
		return nil, refusal
	}
	before, _ := prior["revision"].(int64)
	if values["revision"] != before+1 || r.differ(values, plan) {
		return nil, refusal
	}
	return object, nil
}

func (r *objectResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	prior, err := toAttributes(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	query := url.Values{}
	if prior["force_destroy"] == true {
		query.Set("force", "true")
	}
	_, err = r.client.Do(ctx, inventory.Request{
		Method: http.MethodDelete, Path: r.path(prior), Query: query, Header: ifMatch(prior), IsRepeatable: true,
	}, nil)
	if _, isGone := inventory.Refused(err, http.StatusNotFound); err == nil || isGone {
		return
	}
	r.reportChange(&response.Diagnostics, prior, "removed", err)
}

// reportChange explains why an object was not changed or removed.
func (r *objectResource) reportChange(diagnostics *diag.Diagnostics, prior attributes, verb string, err error) {
	switch refusal, isKnown := inventory.Refused(err, http.StatusPreconditionFailed, http.StatusNotFound); {
	case isKnown && refusal.HTTP == http.StatusNotFound:
		diagnostics.AddError(fmt.Sprintf("The %s does not exist", r.kind.Name),
			r.label(prior)+" was removed by somebody else after it was read. Plan again.")
	case isKnown:
		diagnostics.AddError(fmt.Sprintf("The %s was changed by somebody else", r.kind.Name),
			fmt.Sprintf("%s has no longer the revision %v that was read. Refresh the state (terraform apply -refresh-only), then plan again, and review the differences.", r.label(prior), prior["revision"]))
	default:
		report(diagnostics, r.kind, fmt.Sprintf("The %s was not %s", r.kind.Name, verb), err)
	}
}
