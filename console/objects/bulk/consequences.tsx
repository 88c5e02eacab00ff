import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Dependant, Dependants } from '../../model/dependants.tsx';

const MAX_NAMED = 10;

/** The first names of a list, and the number of the others. */
export function NamedObjects({ title, names }: { title: string; names: readonly string[] }) {
  const more = names.length - MAX_NAMED;
  return (
    <div>
      <Box fontWeight="bold">{title}</Box>
      <ul className="named">
        {names.slice(0, MAX_NAMED).map((name, index) => (
          <li key={index} className="any-word">
            {name}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  );
}

const namesOf = (dependants: readonly Dependant[]) => dependants.map(({ noun, name }) => `${noun} ${name}`);

/** What a removal does to objects that depend on the removed ones. */
export function Consequences({ dependants, what }: { dependants: Dependants; what: string }) {
  const { removed, changed, more } = dependants;
  if (removed.length + changed.length === 0 && !more) return <div>No other objects depend on the selection.</div>;
  return (
    <Alert type="warning" header={`Other objects depend on the ${what}`}>
      <SpaceBetween size="xs">
        {removed.length > 0 && <NamedObjects title={`Also removed (${removed.length}):`} names={namesOf(removed)} />}
        {changed.length > 0 && (
          <NamedObjects title={`Kept, without the removed objects (${changed.length}):`} names={namesOf(changed)} />
        )}
        {more && <div>The list is incomplete: only the first objects were read.</div>}
      </SpaceBetween>
    </Alert>
  );
}
