import { endpoint as listRoleBindings } from '../../functions/api/role-bindings/list/endpoint.ts';
import { endpoint as listLogInMethods } from '../../functions/api/logins/methods/endpoint.ts';
import { MAX_ROLE_BINDINGS } from '../../functions/domain/access/role-binding.ts';
import { allPages } from '../api/all-pages.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { byNumbers } from '../../shared/core/by-numbers.ts';

export type RoleBinding = ReplyOf<typeof listRoleBindings>['role_bindings'][number];

const loadBindings = (signal: AbortSignal): Promise<RoleBinding[]> =>
  allPages(async (token) => {
    const query = { page_size: MAX_ROLE_BINDINGS, page_token: token };
    const { role_bindings: items, next_page_token: next } = await call(listRoleBindings, { query }, { signal });
    return { items, next };
  });

/** All role bindings, by name. */
export const useBindings = () => useLoad('role-bindings', loadBindings);

export const bindingsRequest = requestOf(listRoleBindings, { query: { page_size: MAX_ROLE_BINDINGS } });

/** The names of the providers of people. The API lists no providers of programs. */
const loadProviders = async (signal: AbortSignal): Promise<string[]> =>
  (await call(listLogInMethods, {}, { signal })).methods.flatMap((method) =>
    method.method === 'oidc' ? [method.provider] : [],
  );

/** The names of providers to suggest: those of people, and those of the bindings. */
export function useProviders(bindings: readonly RoleBinding[]): string[] {
  const { value: ofPeople = [] } = useLoad('providers', loadProviders);
  return [...new Set([...ofPeople, ...bindings.map(({ provider }) => provider)])].sort(byNumbers);
}
