import Link from '@cloudscape-design/components/link';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useObjectName } from './object-name.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  object: T;
  /** A part of the name, where its row has the rest. Screen readers read the whole name. */
  part?: string;
}

export function NameLink<T extends InventoryObject>({ kind, object, part }: Props<T>) {
  const name = useObjectName(kind, object);
  return (
    <Link href={href([kind.folder, kind.idOf(object)])} ariaLabel={name}>
      <Words text={part ?? name ?? kind.nameOf(object)} />
    </Link>
  );
}
