import { ApiError, invalidRequest } from '../../../shared/http/errors.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import { getVisibleObject } from '../../store/entities/get.ts';
import { removeObject } from '../../store/inventory/remove.ts';
import { serviceNameClaim } from '../../store/table/keys.ts';
import type { Call, Operation } from '../wire/call.ts';
import { idIn, textIn } from '../wire/input.ts';
import { filterValue, contextOf, subjectId, checkRemovable } from './objects.ts';
import { flagIn } from '../wire/input.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the service that a request names, by its id or its name. */
async function serviceId({ input, dependencies: { table } }: Call): Promise<string> {
  const given = idIn(input, 'service_id');
  const isId = UUID.test(given) || given !== textIn(input, 'service_id');
  if (isId) return given;
  const name = given === '' ? textIn(input, 'service_name') : given;
  if (name === '')
    throw invalidRequest([{ field: '', reason: 'required', message: 'service_id or service_name expected' }]);
  const claim = serviceNameClaim(name);
  const owner = (await claimOwners(table, [claim])).get(claim.pk);
  if (owner === undefined) throw new ApiError('notFound', `Service with name "${name}" not found.`);
  return owner;
}

/** Removes a service and its agents, by its id or its name. */
export const removeManagedService: Operation = async (call) => {
  const { table } = call.dependencies;
  const writeContext = contextOf(call);
  const id = await serviceId(call);
  const type = filterValue(call, 'service_type');
  const { object } = await getVisibleObject(table, 'service', id, writeContext.scope);
  if (type !== undefined && object.service_type !== type)
    throw invalidRequest([{ field: '', reason: 'mismatch', message: 'wrong service type' }]);
  await removeObject(table, 'service', id, { force: true, ifMatch: undefined, writeContext });
  return {};
};

/** Removes a node. The warning of PMM is about accounts of agents, which do not exist here. */
export const unregisterNode: Operation = async (call) => {
  const id = subjectId(call, 'node', 'Unregister');
  checkRemovable('node', id);
  const force = flagIn(call.input, 'force');
  await removeObject(call.dependencies.table, 'node', id, { force, ifMatch: undefined, writeContext: contextOf(call) });
  return call.generation === 3 ? { warning: '' } : {};
};
