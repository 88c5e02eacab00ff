import { useQuery } from '@tanstack/react-query';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { nameQuery } from '../../model/object-cache.tsx';
import { agents, type InventoryObject, type Kind, nodes, services, shortId } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useObjectName } from './object-name.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

/** Statuses of objects that have no page for the caller. */
const words: ReadonlyMap<number | undefined, string> = new Map([
  [404, 'gone'],
  [403, 'no access'],
]);

/** A link to an object by its id. It shows the id until the name is loaded. An object without a page has no link. */
export function ObjectLink<T extends InventoryObject>({ kind, id }: Props<T>) {
  const { data: { object, failure } = {} } = useQuery(nameQuery(kind, id));
  const name = useObjectName(kind, object);
  const why = words.get(failure?.status);
  if (why !== undefined)
    return (
      <bdi className="any-word" title={id}>
        {kind.noun} {shortId(id)} ({why})
      </bdi>
    );
  return (
    <Link href={href([kind.folder, id])} ariaLabel={name ?? shortId(id)}>
      <Words text={name ?? shortId(id)} />
    </Link>
  );
}

interface LinksProps<T extends InventoryObject> {
  kind: Kind<T>;
  ids: readonly string[];
  max: number;
}

/** The first of several objects and the number of the others, on one line. */
export function FirstLink<T extends InventoryObject>({ kind, ids }: Omit<LinksProps<T>, 'max'>) {
  const [first, ...others] = ids;
  if (first === undefined) return <>-</>;
  return (
    <>
      <ObjectLink kind={kind} id={first} />
      {others.length > 0 && ` and ${others.length} more`}
    </>
  );
}

/** The first of several objects below each other, and the number of the others. */
export function ObjectLinks<T extends InventoryObject>({ kind, ids, max }: LinksProps<T>) {
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

interface ByKindProps {
  kind: 'node' | 'service' | 'agent' | 'pmm_agent';
  ids: readonly string[];
}

/** Links to all objects with these ids, whose kind is known by its name. */
export function LinksByKind({ kind, ids }: ByKindProps) {
  const props = { ids, max: ids.length };
  switch (kind) {
    case 'node':
      return <ObjectLinks kind={nodes} {...props} />;
    case 'service':
      return <ObjectLinks kind={services} {...props} />;
    case 'agent':
    case 'pmm_agent':
      return <ObjectLinks kind={agents} {...props} />;
  }
}
