package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// scopeResource makes a part of the inventory equal to a desired state, with one reconciliation.
type scopeResource struct{ client *inventory.Client }

var (
	_ resource.ResourceWithConfigure      = (*scopeResource)(nil)
	_ resource.ResourceWithImportState    = (*scopeResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*scopeResource)(nil)
	_ resource.ResourceWithValidateConfig = (*scopeResource)(nil)
)

type scopeModel struct {
	Selector           types.String  `tfsdk:"selector"`
	NamePrefix         types.String  `tfsdk:"name_prefix"`
	Desired            types.Dynamic `tfsdk:"desired"`
	MaxRemovalsPercent types.Float64 `tfsdk:"max_removals_percent"`
	Changes            types.List    `tfsdk:"changes"`
	PlanDigest         types.String  `tfsdk:"plan_digest"`
}

func (r *scopeResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "inventory_scope"
}

func (r *scopeResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	response.Schema = schema.Schema{
		MarkdownDescription: "A part of the inventory that has exactly the desired objects. Each apply is one reconciliation, and applies the plan as it was shown, or nothing.",
		Attributes: map[string]schema.Attribute{
			"selector":    schema.StringAttribute{Optional: true, PlanModifiers: replaces, MarkdownDescription: "The nodes and services whose labels match belong to the scope, with their agents."},
			"name_prefix": schema.StringAttribute{Optional: true, PlanModifiers: replaces, MarkdownDescription: "The nodes and services with this prefix belong to the scope."},
			"desired":     schema.DynamicAttribute{Required: true, MarkdownDescription: "All objects of the scope: `nodes`, `services` and `agents`, in the format of `POST /v1/reconcile`."},
			"max_removals_percent": schema.Float64Attribute{Optional: true, MarkdownDescription: "If a plan removes a larger share of the objects in the scope, it fails. Default: 20. " +
				"A removal of this resource has no limit."},
			"changes":     schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "The changes of this plan; without any, those of the last apply."},
			"plan_digest": schema.StringAttribute{Computed: true, MarkdownDescription: "Identifies the plan. If the inventory has changed at the time of the apply, nothing is changed."},
		},
	}
}

func (r *scopeResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.client = clientOf(request.ProviderData)
}

func (r *scopeResource) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	var config scopeModel
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if config.Selector.IsNull() && config.NamePrefix.IsNull() {
		response.Diagnostics.AddError("No scope", "Set selector, name_prefix, or both.")
	}
}

// reconcileReply is the part of a reply that is used here.
type reconcileReply struct {
	Digest  string `json:"plan_digest"`
	State   string `json:"state"`
	Refusal string `json:"refusal"`
	Items   []item `json:"items"`
	LeftOut int    `json:"items_left_out"`
}

type item struct {
	Action  string `json:"action"`
	Kind    string `json:"kind"`
	Node    string `json:"node_name"`
	Service string `json:"service_name"`
	Agent   string `json:"agent_type"`
	RunsOn  string `json:"runs_on_node_name"`
	Targets struct {
		Nodes    []string `json:"node_names"`
		Services []string `json:"service_names"`
	} `json:"insights"`
	Changes []struct {
		Field string `json:"field"`
		From  any    `json:"from"`
		To    any    `json:"to"`
	} `json:"changes"`
	Blocked string           `json:"blocked"`
	Outcome string           `json:"outcome"`
	Error   *inventory.Error `json:"error"`
}

// line describes the item in one line.
func (i item) line() string {
	sign := map[string]string{"add": "+", "change": "~", "remove": "-"}[i.Action]
	name := i.Node + i.Service
	if i.Kind == "agent" {
		name = i.Agent
		if i.RunsOn != "" {
			name += " on " + i.RunsOn
		}
		if targets := append(i.Targets.Nodes, i.Targets.Services...); len(targets) > 0 {
			name += " for " + strings.Join(targets, ", ")
		}
	}
	line := fmt.Sprintf("%s %s %s", sign, i.Kind, name)
	for index, change := range i.Changes {
		separator := ", "
		if index == 0 {
			separator = ": "
		}
		line += fmt.Sprintf("%s%s %s -> %s", separator, change.Field, compact(change.From), compact(change.To))
	}
	return line
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// lines describes all items that are not blocked.
func (r reconcileReply) lines() []string {
	lines := []string{}
	for _, one := range r.Items {
		if one.Blocked == "" {
			lines = append(lines, one.line())
		}
	}
	if r.LeftOut > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", r.LeftOut))
	}
	return lines
}

// problems describes the items that are blocked or failed.
func (r reconcileReply) problems() []string {
	problems := []string{}
	for _, one := range r.Items {
		switch {
		case one.Blocked != "":
			problems = append(problems, one.line()+": "+one.Blocked)
		case one.Error != nil:
			problems = append(problems, one.line()+": "+one.Error.Message)
		}
	}
	return problems
}

// requestOf returns the request with a desired state; ok is false if a part of it is unknown.
func requestOf(ctx context.Context, model scopeModel) (body inventory.Fields, ok bool, err error) {
	raw, err := model.Desired.ToTerraformValue(ctx)
	if err != nil {
		return nil, false, err
	}
	desired, err := fromValue(raw)
	if err != nil {
		return nil, false, err
	}
	if containsUnknown(desired) || model.Selector.IsUnknown() || model.NamePrefix.IsUnknown() || model.MaxRemovalsPercent.IsUnknown() {
		return nil, false, nil
	}
	scope := inventory.Fields{}
	if !model.Selector.IsNull() {
		scope["selector"] = model.Selector.ValueString()
	}
	if !model.NamePrefix.IsNull() {
		scope["name_prefix"] = model.NamePrefix.ValueString()
	}
	body = inventory.Fields{"scope": scope, "desired": withoutNull(desired)}
	if !model.MaxRemovalsPercent.IsNull() {
		body["max_removals_percent"] = model.MaxRemovalsPercent.ValueFloat64()
	}
	return body, true, nil
}

// withoutNull removes the attributes without a value: the API has none of them.
func withoutNull(value any) any {
	switch value := value.(type) {
	case []any:
		list := make([]any, len(value))
		for index, one := range value {
			list[index] = withoutNull(one)
		}
		return list
	case attributes:
		object := attributes{}
		for name, one := range value {
			if one != nil {
				object[name] = withoutNull(one)
			}
		}
		return object
	default:
		return value
	}
}

// reconcile sends a request, and repeats it until the reconciliation is finished.
func (r *scopeResource) reconcile(ctx context.Context, body inventory.Fields, mode string) (reconcileReply, error) {
	body["mode"] = mode
	for {
		var reply reconcileReply
		status, err := r.client.Do(ctx, inventory.Request{Method: http.MethodPost, Path: "/v1/reconcile", Body: body, IsRepeatable: true}, &reply)
		if err != nil || status != http.StatusAccepted {
			return reply, err
		}
		select {
		case <-ctx.Done():
			return reply, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// ModifyPlan asks the server for the changes of the plan.
func (r *scopeResource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() || r.client == nil || !r.client.HasSettings() {
		return
	}
	var plan, prior scopeModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	isNew := request.State.Raw.IsNull()
	if !isNew {
		response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	}
	body, isKnown, err := requestOf(ctx, plan)
	if err != nil {
		response.Diagnostics.AddAttributeError(path.Root("desired"), "The desired state cannot be read", err.Error())
	}
	if response.Diagnostics.HasError() {
		return
	}
	plan.Changes, plan.PlanDigest = types.ListUnknown(types.StringType), types.StringUnknown()
	if isKnown {
		reply, err := r.reconcile(ctx, body, "plan")
		r.reportPlan(&response.Diagnostics, reply, err)
		if response.Diagnostics.HasError() {
			return
		}
		r.setPlan(ctx, &plan, prior, isNew, reply, response)
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, &plan)...)
}

func (r *scopeResource) setPlan(ctx context.Context, plan *scopeModel, prior scopeModel, isNew bool, reply reconcileReply, response *resource.ModifyPlanResponse) {
	lines := reply.lines()
	if len(reply.problems()) > 0 {
		// Other resources of this apply may add the objects that are missing now.
		return
	}
	if len(lines) == 0 && !isNew {
		plan.Changes, plan.PlanDigest = prior.Changes, prior.PlanDigest
		return
	}
	changes, diagnostics := types.ListValueFrom(ctx, types.StringType, lines)
	response.Diagnostics.Append(diagnostics...)
	plan.Changes, plan.PlanDigest = changes, types.StringValue(reply.Digest)
}

func (r *scopeResource) reportPlan(diagnostics *diag.Diagnostics, reply reconcileReply, err error) {
	switch problems := reply.problems(); {
	case err != nil:
		reportReconciliation(diagnostics, "The scope cannot be planned", err)
	case reply.Refusal != "":
		diagnostics.AddError("The plan is refused", reply.Refusal)
	case len(problems) > 0:
		diagnostics.AddWarning("Not possible at present", strings.Join(problems, "\n")+
			"\nThe apply fails, unless other resources of this plan change that before.")
	}
}

// reportReconciliation names the objects of the desired state that the server refuses.
func reportReconciliation(diagnostics *diag.Diagnostics, summary string, err error) {
	refusal, isMismatch := inventory.Refused(err, http.StatusPreconditionFailed)
	switch {
	case isMismatch:
		diagnostics.AddError("The inventory has changed", "The inventory changed after the plan, so another plan is necessary. No changes were made. Plan again.")
	case refusal != nil && len(refusal.Details) > 0:
		for _, one := range refusal.Details {
			diagnostics.AddAttributeError(path.Root("desired"), summary, one.Field+": "+one.Message)
		}
	default:
		diagnostics.AddError(summary, err.Error())
	}
}

// apply makes the changes of a plan, and stores the result in it.
func (r *scopeResource) apply(ctx context.Context, plan *scopeModel, diagnostics *diag.Diagnostics) {
	body, _, err := requestOf(ctx, *plan)
	if err != nil {
		diagnostics.AddError("The desired state cannot be read", err.Error())
		return
	}
	if plan.PlanDigest.IsUnknown() {
		reply, err := r.reconcile(ctx, body, "plan")
		if err != nil {
			reportReconciliation(diagnostics, "The scope cannot be planned", err)
			return
		}
		changes, diags := types.ListValueFrom(ctx, types.StringType, reply.lines())
		diagnostics.Append(diags...)
		plan.Changes, plan.PlanDigest = changes, types.StringValue(reply.Digest)
	}
	body["plan_digest"] = plan.PlanDigest.ValueString()
	reply, err := r.reconcile(ctx, body, "apply")
	switch problems := reply.problems(); {
	case err != nil:
		reportReconciliation(diagnostics, "The scope was not reconciled", err)
	case reply.Refusal != "":
		diagnostics.AddError("The plan is refused", reply.Refusal)
	case len(problems) > 0:
		diagnostics.AddError("A part of the scope was not reconciled", strings.Join(problems, "\n"))
	case reply.State != "done":
		diagnostics.AddError("The scope was not reconciled", "The reconciliation ended as "+reply.State+".")
	}
}

func (r *scopeResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan scopeModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	r.apply(ctx, &plan, &response.Diagnostics)
	// A failed reconciliation may have added objects: with a state, they are removed together.
	if !plan.PlanDigest.IsUnknown() {
		response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
	}
}

func (r *scopeResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan, prior scopeModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	if response.Diagnostics.HasError() {
		return
	}
	// Without changes, only other attributes differ, such as the threshold.
	if !plan.PlanDigest.Equal(prior.PlanDigest) {
		r.apply(ctx, &plan, &response.Diagnostics)
	}
	if !response.Diagnostics.HasError() {
		response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
	}
}

// Read keeps the state: the comparison with the inventory is a part of each plan.
func (r *scopeResource) Read(_ context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	response.State.Raw = request.State.Raw
}

func (r *scopeResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var prior scopeModel
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	if response.Diagnostics.HasError() {
		return
	}
	body, _, err := requestOf(ctx, prior)
	if err == nil {
		err = r.empty(ctx, body)
	}
	if err != nil {
		reportReconciliation(&response.Diagnostics, "The scope was not emptied", err)
	}
}

// ImportState takes a selector, or a scope as in a reconcile document.
func (r *scopeResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	scope := struct {
		Selector   *string `json:"selector"`
		NamePrefix *string `json:"name_prefix"`
	}{Selector: &request.ID}
	if strings.HasPrefix(request.ID, "{") {
		scope.Selector = nil
		if err := json.Unmarshal([]byte(request.ID), &scope); err != nil {
			response.Diagnostics.AddError("The scope cannot be imported", `Give a selector, or {"selector": "...", "name_prefix": "..."}: `+err.Error())
			return
		}
	}
	response.Diagnostics.Append(response.State.Set(ctx, &scopeModel{
		Selector:   types.StringPointerValue(scope.Selector),
		NamePrefix: types.StringPointerValue(scope.NamePrefix),
		Desired:    types.DynamicNull(),
		Changes:    types.ListNull(types.StringType),
	})...)
}
