package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// keyResource is an API key. The key itself is stored by the user's program or in a file, and in no state.
type keyResource struct{ client *inventory.Client }

var (
	_ resource.ResourceWithConfigure      = (*keyResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*keyResource)(nil)
	_ resource.ResourceWithValidateConfig = (*keyResource)(nil)
)

type keyModel struct {
	Name         types.String `tfsdk:"name"`
	Role         types.String `tfsdk:"role"`
	TimeToLive   types.String `tfsdk:"time_to_live"`
	RateLimit    types.Int64  `tfsdk:"rate_limit_per_minute"`
	KeyFile      types.String `tfsdk:"key_file"`
	StoreCommand types.List   `tfsdk:"store_command"`
	Rotation     types.String `tfsdk:"rotation"`
	Overlap      types.String `tfsdk:"overlap"`
	KeyID        types.String `tfsdk:"key_id"`
	Prefix       types.String `tfsdk:"prefix"`
	CreatedAt    types.String `tfsdk:"created_at"`
	ExpiresAt    types.String `tfsdk:"expires_at"`
}

func (r *keyResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "inventory_api_key"
}

func (r *keyResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	keeps := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	response.Schema = schema.Schema{
		MarkdownDescription: "An API key. It is shown only once, and is in no state: it is written to `key_file`, or to the standard input of `store_command`.",
		Attributes: map[string]schema.Attribute{
			"name":                  schema.StringAttribute{Required: true, PlanModifiers: replaces, MarkdownDescription: "Unique among all API keys."},
			"role":                  schema.StringAttribute{Required: true, PlanModifiers: replaces, MarkdownDescription: "Role of the key, such as Viewer or Editor."},
			"time_to_live":          schema.StringAttribute{Optional: true, PlanModifiers: replaces, MarkdownDescription: "Time to live, such as 90d. A rotation starts it again. Default: unlimited."},
			"rate_limit_per_minute": schema.Int64Attribute{Optional: true, MarkdownDescription: "Requests per clock minute. Default: unlimited."},
			"key_file":              schema.StringAttribute{Optional: true, MarkdownDescription: "The file for the key, readable by its owner alone."},
			"store_command":         schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "A program and its arguments, which stores the key that it reads from its standard input."},
			"rotation":              schema.StringAttribute{Optional: true, MarkdownDescription: "Any text; another text rotates the key."},
			"overlap":               schema.StringAttribute{Optional: true, MarkdownDescription: "How long the former key still works after a rotation. Default: 1h."},
			"key_id":                schema.StringAttribute{Computed: true, PlanModifiers: keeps, MarkdownDescription: "Id of the API key."},
			"prefix":                schema.StringAttribute{Computed: true, MarkdownDescription: "The first characters of the key."},
			"created_at":            schema.StringAttribute{Computed: true, PlanModifiers: keeps, MarkdownDescription: "When it was added."},
			"expires_at":            schema.StringAttribute{Computed: true, MarkdownDescription: "When it expires; null if never."},
		},
	}
}

func (r *keyResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.client = clientOf(request.ProviderData)
}

func (r *keyResource) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	var config keyModel
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if config.KeyFile.IsNull() == config.StoreCommand.IsNull() {
		response.Diagnostics.AddError("The key has no destination", "Set either key_file or store_command: the key is shown only once.")
	}
}

// ModifyPlan keeps the values that only a rotation changes.
func (r *keyResource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() || request.State.Raw.IsNull() {
		return
	}
	var plan, prior keyModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	if plan.Rotation.Equal(prior.Rotation) {
		plan.Prefix, plan.ExpiresAt = prior.Prefix, prior.ExpiresAt
	} else {
		plan.Prefix, plan.ExpiresAt = types.StringUnknown(), types.StringUnknown()
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, &plan)...)
}

func (r *keyResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan keyModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	key, err := addKey(ctx, r.client, plan)
	if err != nil {
		reportKey(&response.Diagnostics, "The API key was not added", err)
		return
	}
	plan.setFrom(key)
	if err := store(ctx, plan, text(key["key"])); err != nil {
		// Nobody knows the key.
		err = errors.Join(err, removeKey(ctx, r.client, plan.KeyID.ValueString()))
		response.Diagnostics.AddError("The API key was not stored", err.Error())
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
}

// addKey is not repeated after a lost reply: the key in it would be lost.
func addKey(ctx context.Context, client *inventory.Client, plan keyModel) (inventory.Fields, error) {
	body := inventory.Fields{"name": plan.Name.ValueString(), "role": plan.Role.ValueString()}
	if !plan.TimeToLive.IsNull() {
		body["time_to_live"] = plan.TimeToLive.ValueString()
	}
	if !plan.RateLimit.IsNull() {
		body["rate_limit_per_minute"] = plan.RateLimit.ValueInt64()
	}
	key := inventory.Fields{}
	_, err := client.Do(ctx, inventory.Request{Method: http.MethodPost, Path: "/v1/api-keys", Body: body}, &key)
	return key, err
}

func removeKey(ctx context.Context, client *inventory.Client, id string) error {
	_, err := client.Do(ctx, inventory.Request{Method: http.MethodDelete, Path: "/v1/api-keys/" + url.PathEscape(id), IsRepeatable: true}, nil)
	if _, isGone := inventory.Refused(err, http.StatusNotFound); isGone {
		return nil
	}
	return err
}

func (m *keyModel) setFrom(key inventory.Fields) {
	optional := func(name string) types.String {
		if value, isText := key[name].(string); isText {
			return types.StringValue(value)
		}
		return types.StringNull()
	}
	m.KeyID, m.Prefix = optional("key_id"), optional("prefix")
	m.CreatedAt, m.ExpiresAt = optional("created_at"), optional("expires_at")
}

func reportKey(diagnostics *diag.Diagnostics, summary string, err error) {
	if refusal, isConflict := inventory.Refused(err, http.StatusConflict); isConflict {
		diagnostics.AddAttributeError(path.Root("name"), "The API key exists already", refusal.Message+
			" The key of an existing API key cannot be read, so it cannot be taken over: remove it, or use another name.")
		return
	}
	diagnostics.AddError(summary, err.Error())
}

// store writes the key to its destination.
func store(ctx context.Context, plan keyModel, key string) error {
	if !plan.KeyFile.IsNull() {
		return writeKey(plan.KeyFile.ValueString(), key)
	}
	var words []string
	if diagnostics := plan.StoreCommand.ElementsAs(ctx, &words, false); diagnostics.HasError() || len(words) == 0 {
		return errors.New("store_command is no program with arguments")
	}
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Stdin = bytes.NewReader([]byte(key))
	// Its output may contain the key.
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s failed: %w", words[0], err)
	}
	return nil
}

// writeKey replaces the file in one step, so that readers see a complete key.
func writeKey(name, key string) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".key-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString(key + "\n")
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func (r *keyResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var state keyModel
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	keys, err := r.client.List(ctx, "api_keys", url.Values{"name_prefix": {state.Name.ValueString()}})
	if err != nil {
		response.Diagnostics.AddError("The API key cannot be read", err.Error())
		return
	}
	for _, key := range keys {
		if text(key["key_id"]) != state.KeyID.ValueString() {
			continue
		}
		state.setFrom(key)
		state.Role = types.StringValue(text(key["role"]))
		state.RateLimit = types.Int64Null()
		if limit, isNumber := normalNumber(key["rate_limit_per_minute"]); isNumber {
			state.RateLimit = types.Int64Value(limit)
		}
		response.Diagnostics.Append(response.State.Set(ctx, &state)...)
		return
	}
	// It was removed, or has expired.
	response.State.RemoveResource(ctx)
}

func (r *keyResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan, prior keyModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	if response.Diagnostics.HasError() {
		return
	}
	own := "/v1/api-keys/" + url.PathEscape(prior.KeyID.ValueString())
	if !plan.RateLimit.Equal(prior.RateLimit) {
		body := inventory.Fields{"rate_limit_per_minute": plan.RateLimit.ValueInt64Pointer()}
		if _, err := r.client.Do(ctx, inventory.Request{Method: http.MethodPatch, Path: own, Body: body, IsRepeatable: true}, nil); err != nil {
			response.Diagnostics.AddError("The API key was not changed", err.Error())
			return
		}
		prior.RateLimit = plan.RateLimit
		response.Diagnostics.Append(response.State.Set(ctx, &prior)...)
	}
	if !plan.Rotation.Equal(prior.Rotation) {
		overlap := plan.Overlap.ValueString()
		if overlap == "" {
			overlap = "1h"
		}
		key := inventory.Fields{}
		// Not repeated after a lost reply, as an addition. The former key works until the overlap ends.
		_, err := r.client.Do(ctx, inventory.Request{Method: http.MethodPost, Path: own + "/rotate", Body: inventory.Fields{"overlap": overlap}}, &key)
		if err == nil {
			err = store(ctx, plan, text(key["key"]))
		}
		if err != nil {
			response.Diagnostics.AddError("The API key was not rotated", err.Error())
			return
		}
		plan.setFrom(key)
	}
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
}

func (r *keyResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var state keyModel
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	if err := removeKey(ctx, r.client, state.KeyID.ValueString()); err != nil {
		response.Diagnostics.AddError("The API key was not removed", err.Error())
	}
}
