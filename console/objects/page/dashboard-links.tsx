import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Dashboard } from '../../model/dashboards.tsx';

interface Props {
  links: readonly Dashboard[];
  /** Side by side in one line. */
  inline?: boolean;
}

/** The dashboards of an object, each in a new tab. */
export function DashboardLinks({ links, inline = false }: Props) {
  return (
    <SpaceBetween size={inline ? 'm' : 'xxs'} direction={inline ? 'horizontal' : 'vertical'}>
      {links.map(({ name, url }) => (
        <Link key={name} href={url} external externalIconAriaLabel="Opens in a new tab">
          {name}
        </Link>
      ))}
    </SpaceBetween>
  );
}
