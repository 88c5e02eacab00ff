import { addFleet, type Fleet } from '../../tests/browser/fleet.ts';
import { pageTime } from './page.tsx';
import type { Site } from './site.tsx';

/** The fleet of the browser tests. Its nodes have reported a minute ago, so that the silent ones are stale or offline now. */
export function addFleetTo(site: Site): Promise<Fleet> {
  const { clock } = site.inventory;
  Object.defineProperty(clock, 'now', { get: () => new Date(pageTime() - 60_000), configurable: true });
  return addFleet(site, () => {
    Object.defineProperty(clock, 'now', { value: undefined, writable: true });
  });
}
