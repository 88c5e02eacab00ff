import Link from '@cloudscape-design/components/link';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { useOwnerLimit } from '../../model/own-objects.tsx';
import { scopeOf, teamFilters } from '../../model/team-scope.tsx';
import { href } from '../../ui/route.tsx';
import { type ListAddress, queryOf } from './list-address.ts';

interface Props {
  kind: Pick<Kind<InventoryObject>, 'folder'>;
  address: ListAddress;
}

/** From the objects of the user's team to all, and back. */
export function TeamScopeLink({ kind: { folder }, address }: Props) {
  const limit = useOwnerLimit();
  if (limit === undefined) return null;
  const { selector: _selector, ...others } = address.filters;
  const to = (filters: Readonly<Record<string, string>>) =>
    href([folder], queryOf({ ...address, filters: { ...others, ...filters }, pageIndex: 1 }));
  const scope = scopeOf(limit, address.filters);
  if (scope === 'team') return <Link href={to({})}>All {folder}</Link>;
  return scope === 'all' ? <Link href={to(teamFilters(limit))}>Only those of your {limit.label}</Link> : null;
}
