import { ApiError } from '../../../shared/core/errors.ts';
import { eventWith } from '../../../shared/testing/event.ts';
import { Refusal } from '../../contract/refusal.ts';
import { inventoryRoutes } from '../declarations/inventory-routes.ts';
import { facade } from '../facades/inventory/contract.ts';
import { GrpcError } from './errors.ts';
import { callFinder } from './find-call.ts';
import { pmmForm } from './pmm-form.ts';

const find = callFinder(facade, inventoryRoutes, pmmForm.pathOf);
function refusal(error: ApiError, path = '/v1/inventory/Agents/Get', input = {}) {
  const call = find({ ...eventWith({ path }), httpMethod: path.includes('Agents/') ? 'POST' : 'GET' });
  const { http, message } = pmmForm.refusalOf(error, { ...call, input });
  return [http, Object.values(message)];
}

test("an error has PMM's status and code: for our errors, gRPC errors, and refused roles", () => {
  expect(refusal(new ApiError('alreadyExists', 'Taken.'))).toEqual([409, ['Taken.', 'Taken.', 6, []]]);
  expect(refusal(new GrpcError(12, 'Not here.'))).toEqual([501, ['Not here.', 'Not here.', 12, []]]);
  const denied = 'Access denied.';
  expect(refusal(new Refusal('role', 'permissionDenied', denied))).toEqual([401, [denied, denied, 7, []]]);
  expect(refusal(new ApiError('permissionDenied', denied))).toEqual([403, [denied, denied, 7, []]]);
  expect(refusal(new Refusal('rate', 'resourceExhausted', denied))).toEqual([429, [denied, denied, 8, []]]);
});

test('an id in an error is written as in the request, in the words of its generation', () => {
  const missing = new ApiError('notFound', 'Agent with ID "x" not found.');
  const words = (path: string, id: string) => refusal(missing, path, { agent_id: id })[1];
  expect(words('/v1/inventory/Agents/Get', '/agent_id/x')).toContain('Agent with ID "/agent_id/x" not found.');
  expect(words('/v1/inventory/Agents/Get', 'x')).toContain('Agent with ID "x" not found.');
  expect(words('/v1/inventory/agents/x', 'x')).toContain('Agent with ID x not found.');
  expect(words('/v1/inventory/Agents/Get', '$&')).toContain('Agent with ID "x" not found.');
});
