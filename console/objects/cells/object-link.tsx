import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { cachedObject } from '../../model/object-cache.tsx';
import { type InventoryObject, type Kind, shortId } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { Words } from '../../ui/breakable-text.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

/** What the server said of an object that no page of it could show more of: it is gone, or not the caller's. */
const words: ReadonlyMap<number | undefined, string> = new Map([
  [404, 'gone'],
  [403, 'no access'],
]);

/**
 * An object of which only the id is known: by its name, once that is there, leading to its page. What has no page to lead
 * to is named by its id alone.
 */
export function ObjectLink<T extends InventoryObject>({ kind, id }: Props<T>) {
  const { value, failure } = useLoad(`${kind.folder}/${id}`, () => cachedObject(kind, id));
  const why = words.get(failure?.status);
  if (why !== undefined)
    return (
      <span className="any-word" title={id}>
        {kind.noun} {shortId(id)} ({why})
      </span>
    );
  return (
    <Link href={href([kind.folder, id])}>
      <Words text={value === undefined ? shortId(id) : kind.nameOf(value)} />
    </Link>
  );
}

/** The first few of several objects; the others are counted. */
export function ObjectLinks<T extends InventoryObject>({
  kind,
  ids,
  max,
}: {
  kind: Kind<T>;
  ids: readonly string[];
  max: number;
}) {
  if (ids.length === 0) return <>-</>;
  const more = ids.length - max;
  return (
    <SpaceBetween size="xxs" direction="vertical">
      {ids.slice(0, max).map((id) => (
        <ObjectLink key={id} kind={kind} id={id} />
      ))}
      {more > 0 && <span>and {more} more</span>}
    </SpaceBetween>
  );
}
