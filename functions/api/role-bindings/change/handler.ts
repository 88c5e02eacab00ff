import { isDeepStrictEqual } from 'node:util';
import { nextRecord } from '../../../domain/fields/record.ts';
import { toRoleBindingReply } from '../../../replies/role-binding.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { checkBinding } from '../../../runtime/identity-providers.ts';
import { changeRoleBinding, type RoleBinding } from '../../../store/credentials/role-bindings.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

/** The value after a change: null clears, an absent field changes nothing. */
const merged = <Value>(present: Value | undefined, next: Value | null | undefined) =>
  next === undefined ? present : (next ?? undefined);

/** The fields that have a value. */
const valuesOf = (binding: RoleBinding) =>
  Object.entries(binding)
    .filter(([, value]) => value !== undefined)
    .sort();

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body, ifMatch } = request;
  const writeContext = writeContextOf(request, dependencies);
  const next = (present: RoleBinding): RoleBinding => {
    const changed = {
      ...present,
      claims: body.claims ?? present.claims,
      role: body.role ?? present.role,
      owners: merged(present.owners, body.owners),
      node_name_claim: merged(present.node_name_claim, body.node_name_claim),
      description: merged(present.description, body.description),
    };
    checkBinding(changed, dependencies);
    const hasChanged = !isDeepStrictEqual(valuesOf(changed), valuesOf(present));
    return hasChanged ? { ...changed, ...nextRecord(present, writeContext.now) } : present;
  };
  const target = { name: params.binding_id, ifMatch };
  const binding = await changeRoleBinding(dependencies.table, target, next, writeContext);
  return { body: toRoleBindingReply(binding) };
});
