import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { useMemo } from 'react';
import { hrefOfFilter, useSavedFilters } from '../model/saved-filters.tsx';
import { type OwnerLimit, useOwnerLimit } from '../model/own-objects.tsx';
import { teamHref } from '../model/team-scope.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { menuFor } from './menu.tsx';

/** An item of the menu, whose lists begin with the objects of the user's team. */
function withTeam(limit: OwnerLimit | undefined, item: SideNavigationProps.Item): SideNavigationProps.Item {
  if (item.type === 'link') return { ...item, href: teamHref(limit, item.href) };
  return item.type === 'section' ? { ...item, items: item.items.map((part) => withTeam(limit, part)) } : item;
}

/** The menu for the user, with the filters that the user has pinned after the overview. */
export function SideMenu({ activeHref, ...props }: Pick<SideNavigationProps, 'activeHref' | 'onFollow'>) {
  const caller = useCaller();
  const limit = useOwnerLimit();
  const [overview, ...others] = useMemo(() => menuFor(caller), [caller]);
  const pinned = useSavedFilters().filter((filter) => filter.pinned);
  const links = pinned.map((filter) => ({ type: 'link', text: filter.name, href: hrefOfFilter(filter) }) as const);
  return (
    <SideNavigation
      {...props}
      activeHref={activeHref === undefined ? undefined : teamHref(limit, activeHref)}
      items={[
        ...(overview === undefined ? [] : [overview]),
        ...(links.length === 0 ? [] : [{ type: 'section', text: 'Pinned', items: links } as const]),
        ...others.map((item) => withTeam(limit, item)),
      ]}
    />
  );
}
