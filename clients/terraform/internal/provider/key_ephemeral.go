package provider

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/inventory"
)

// ephemeralKey is an API key for one run of Terraform: each plan and each apply adds one and removes it at its end.
type ephemeralKey struct{ client *inventory.Client }

var (
	_ ephemeral.EphemeralResourceWithConfigure = (*ephemeralKey)(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*ephemeralKey)(nil)
)

type ephemeralKeyModel struct {
	Name       types.String `tfsdk:"name"`
	Role       types.String `tfsdk:"role"`
	TimeToLive types.String `tfsdk:"time_to_live"`
	KeyID      types.String `tfsdk:"key_id"`
	Key        types.String `tfsdk:"key"`
}

// A run that is killed cannot remove its key, which then ends by itself.
const defaultTimeToLive = "1h"

const privateKeyID = "key_id"

func (e *ephemeralKey) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = "inventory_api_key"
}

func (e *ephemeralKey) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "An API key for one plan or apply. It is removed at the end, and is in no state and no plan.",
		Attributes: map[string]schema.Attribute{
			"name":         schema.StringAttribute{Optional: true, MarkdownDescription: "Begin of the name of the key; random characters follow. Default: terraform."},
			"role":         schema.StringAttribute{Required: true, MarkdownDescription: "Role of the key, such as Viewer or Editor."},
			"time_to_live": schema.StringAttribute{Optional: true, MarkdownDescription: "End of the key if the run does not remove it. Default: " + defaultTimeToLive + "."},
			"key_id":       schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the API key."},
			"key":          schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The key."},
		},
	}
}

func (e *ephemeralKey) Configure(_ context.Context, request ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	e.client = clientOf(request.ProviderData)
}

func (e *ephemeralKey) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var model ephemeralKeyModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	or := func(value types.String, other string) types.String {
		if value.ValueString() == "" {
			return types.StringValue(other)
		}
		return value
	}
	name := or(model.Name, "terraform").ValueString() + "-" + strings.ToLower(rand.Text()[:10])
	key, err := addKey(ctx, e.client, keyModel{
		Name: types.StringValue(name), Role: model.Role, TimeToLive: or(model.TimeToLive, defaultTimeToLive), RateLimit: types.Int64Null(),
	})
	if err != nil {
		response.Diagnostics.AddError("The API key was not added", err.Error())
		return
	}
	id := text(key["key_id"])
	model.KeyID, model.Key = types.StringValue(id), types.StringValue(text(key["key"]))
	stored, err := json.Marshal(id)
	if err != nil {
		response.Diagnostics.AddError("The id of the API key cannot be kept", err.Error())
		return
	}
	response.Diagnostics.Append(response.Private.SetKey(ctx, privateKeyID, stored)...)
	response.Diagnostics.Append(response.Result.Set(ctx, &model)...)
}

func (e *ephemeralKey) Close(ctx context.Context, request ephemeral.CloseRequest, response *ephemeral.CloseResponse) {
	stored, diagnostics := request.Private.GetKey(ctx, privateKeyID)
	response.Diagnostics.Append(diagnostics...)
	var id string
	if err := json.Unmarshal(stored, &id); err != nil {
		response.Diagnostics.AddError("The id of the API key cannot be read", err.Error())
		return
	}
	if err := removeKey(ctx, e.client, id); err != nil {
		response.Diagnostics.AddError("The API key was not removed", err.Error())
	}
}
