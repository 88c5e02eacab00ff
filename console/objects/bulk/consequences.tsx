import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { Dependant, Dependants } from '../../model/dependants.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { FirstItems, KindAndName } from '../../ui/first-items.tsx';
import type { Loading } from '../../ui/use-load.tsx';
import { numberText, plural } from '../../ui/words.ts';
import { agents } from '../../model/kinds.tsx';
import { ObjectName } from '../cells/object-name.tsx';

/** The first items of a list under a title. */
export function TitledItems({ title, items }: { title: ReactNode; items: readonly ReactNode[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <Box fontWeight="bold">{title}</Box>
      <FirstItems items={items} />
    </div>
  );
}

const namesOf = (dependants: readonly Dependant[]) =>
  dependants.map(({ noun, id, name, agent }) => (
    <KindAndName key={id} kind={noun} name={agent === undefined ? name : <ObjectName kind={agents} object={agent} />} />
  ));

interface Props {
  dependants: Dependants;
  /** The removed objects: `node` or `3 nodes`. */
  what: string;
}

/** The effect of a removal on the objects that depend on the removed ones. */
function Consequences({ dependants: { removed, changed, more }, what }: Props) {
  if (removed.length + changed.length === 0 && !more) return <div>No other objects depend on the {what}.</div>;
  return (
    <Alert type="warning" header={`Other objects depend on the ${what}`}>
      <SpaceBetween size="xs">
        <TitledItems title={`Also removed (${numberText(removed.length)}):`} items={namesOf(removed)} />
        <TitledItems
          title={`Kept, without the removed ${what} (${numberText(changed.length)}):`}
          items={namesOf(changed)}
        />
        {more && <div>The list is incomplete: only the first objects were read.</div>}
      </SpaceBetween>
    </Alert>
  );
}

export const countOf = ({ removed, changed }: Dependants) => removed.length + changed.length;

interface LoadingProps {
  dependants: Loading<Dependants>;
  what: string;
}

/** The consequences of a removal, as soon as they are known. */
export function RemovalConsequences({ dependants: { value, failure, reload }, what }: LoadingProps) {
  if (value !== undefined) return <Consequences dependants={value} what={what} />;
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The dependent objects are unknown" retry={reload} />;
  return <StatusIndicator type="loading">Loading dependent objects</StatusIndicator>;
}

interface ConsentProps {
  dependants: Dependants;
  agreed: boolean;
  agree: (agreed: boolean) => void;
}

/** The consent to a removal of an object that others depend on. */
export function RemovalConsent({ dependants, agreed, agree }: ConsentProps) {
  const count = countOf(dependants);
  return (
    <Checkbox checked={agreed} onChange={({ detail }) => agree(detail.checked)}>
      Remove it although {plural(count, 'object')} {dependants.more ? 'and more ' : ''}
      {count === 1 ? 'depends' : 'depend'} on it
    </Checkbox>
  );
}
