import type { OwnerLimit } from '../../functions/domain/access/owned-objects.ts';
import { href } from '../ui/address.ts';
import type { ListQuery } from './kinds.tsx';
import { selectorOf } from './silences.tsx';

/** The filters of the lists that show the objects of the user's team first. */
export const teamFilters = ({ label, owners }: OwnerLimit): { selector: string } => ({
  selector: selectorOf(label, owners),
});

/** Whether a list shows the objects of the team, all objects, or others. */
export function scopeOf(limit: OwnerLimit, { selector }: ListQuery): 'team' | 'all' | undefined {
  if (selector === undefined || selector === '') return 'all';
  return selector === teamFilters(limit).selector ? 'team' : undefined;
}

const folders = ['nodes', 'services', 'agents'];

/** The address of a page of the menu: of a list, the objects of the team. */
export function teamHref(limit: OwnerLimit | undefined, address: string): string {
  if (limit === undefined) return address;
  const folder = folders.find((name) => href([name]) === address);
  if (folder !== undefined) return href([folder], teamFilters(limit));
  const [owner, ...others] = limit.owners;
  // The list of clusters has a filter by one owner.
  if (address !== href(['clusters']) || owner === undefined || others.length > 0) return address;
  return href(['clusters'], { owner });
}
