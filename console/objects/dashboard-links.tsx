import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Dashboard } from '../model/dashboards.tsx';

/** The dashboards of an object, each in a new tab. */
export function DashboardLinks({ links }: { links: readonly Dashboard[] }) {
  return (
    <SpaceBetween size="xxs">
      {links.map(({ name, url }) => (
        <Link key={name} href={url} external externalIconAriaLabel="Opens in a new tab">
          {name}
        </Link>
      ))}
    </SpaceBetween>
  );
}
