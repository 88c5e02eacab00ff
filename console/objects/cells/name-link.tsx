import Link from '@cloudscape-design/components/link';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useObjectName } from './object-name.tsx';

export function NameLink<T extends InventoryObject>({ kind, object }: { kind: Kind<T>; object: T }) {
  const name = useObjectName(kind, object);
  return (
    <Link href={href([kind.folder, kind.idOf(object)])} ariaLabel={name}>
      <Words text={name ?? kind.nameOf(object)} />
    </Link>
  );
}
