import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { State } from '../../functions/domain/fields/liveness.ts';
import type { InventoryObject } from '../model/kinds.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Column } from './object-table.tsx';

const looks: Readonly<Record<State, { type: StatusIndicatorProps.Type; word: string }>> = {
  live: { type: 'success', word: 'Live' },
  stale: { type: 'warning', word: 'Stale' },
  offline: { type: 'error', word: 'Offline' },
  never_seen: { type: 'pending', word: 'Never seen' },
};

/** Whether something is alive, and since when it is not: when it was last heard of. */
export function LifeState({ object: { state, reported_at: last, removing } }: { object: InventoryObject }) {
  if (state === undefined) return <>-</>;
  const { type, word } = looks[state];
  return (
    <>
      {removing === true && (
        <StatusIndicator wrapText={false} type="in-progress">
          Being removed
        </StatusIndicator>
      )}
      <StatusIndicator wrapText={false} type={type}>
        {word}
      </StatusIndicator>
      {last !== undefined && (
        <Box variant="small" display="block">
          Last report <Moment time={last} />
        </Box>
      )}
    </>
  );
}

export const stateColumn: Column<InventoryObject> = {
  id: 'state',
  header: 'State',
  minWidth: 130,
  cell: (object) => <LifeState object={object} />,
};
