import Link from '@cloudscape-design/components/link';
import type { InventoryObject, Kind } from '../inventory/kinds.tsx';
import { href } from '../route.tsx';
import { Words } from './words.tsx';

/** The name of an object, leading to its page. */
export function NameLink<T extends InventoryObject>({ kind, object }: { kind: Kind<T>; object: T }) {
  return (
    <Link href={href([kind.folder, kind.idOf(object)])}>
      <Words text={kind.nameOf(object)} />
    </Link>
  );
}
