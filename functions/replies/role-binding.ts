import type { RoleBinding } from '../store/credentials/role-bindings.ts';

export const toRoleBindingReply = ({ version: _, ...shown }: RoleBinding) => ({ binding_id: shown.name, ...shown });
