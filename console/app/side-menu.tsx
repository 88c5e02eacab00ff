import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { useMemo } from 'react';
import { hrefOfFilter, useSavedFilters } from '../model/saved-filters.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { menuFor } from './menu.tsx';

/** The menu for the user, with the filters that the user has pinned after the overview. */
export function SideMenu(props: Pick<SideNavigationProps, 'activeHref' | 'onFollow'>) {
  const caller = useCaller();
  const [overview, ...others] = useMemo(() => menuFor(caller), [caller]);
  const pinned = useSavedFilters().filter((filter) => filter.pinned);
  const links = pinned.map((filter) => ({ type: 'link', text: filter.name, href: hrefOfFilter(filter) }) as const);
  return (
    <SideNavigation
      {...props}
      items={[
        ...(overview === undefined ? [] : [overview]),
        ...(links.length === 0 ? [] : [{ type: 'section', text: 'Pinned', items: links } as const]),
        ...others,
      ]}
    />
  );
}
