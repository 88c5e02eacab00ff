import type { RoleBinding } from '../store/credentials/role-bindings.ts';

export function toRoleBindingReply(binding: RoleBinding) {
  const { name, provider, claims, role, owners, node_name_claim, description, created_by } = binding;
  const { created_at, updated_at, revision } = binding;
  return {
    binding_id: name,
    name,
    provider,
    claims,
    role,
    ...(owners === undefined ? {} : { owners }),
    ...(node_name_claim === undefined ? {} : { node_name_claim }),
    ...(description === undefined ? {} : { description }),
    created_by,
    created_at,
    updated_at,
    revision,
  };
}
