import type { TransactItem } from '../../../shared/db/transact.ts';
import type { State } from '../../domain/fields/liveness.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { stateChangeKey } from '../table/keys.ts';
import { actorAttributes, packed, recordStep } from './change-record.ts';

export interface StateChange {
  nodeId: string;
  nodeName: string;
  /** The revision of the node, which its state does not change. */
  revision: number;
  from: State;
  to: State;
  /** The time of the last report. */
  reportedAt: Date;
}

/** The record of a change of a state, to write in the transaction that publishes it. */
export function stateChangeStep(
  changeId: string,
  { nodeId, nodeName, revision, from, to, reportedAt }: StateChange,
  writeContext: Pick<WriteContext, 'actor' | 'requestId'>,
): TransactItem {
  const after = { state: to, node_name: nodeName, reported_at: reportedAt.toISOString() };
  return recordStep({
    ...stateChangeKey(changeId),
    kind: 'state',
    id: nodeId,
    action: 'changed',
    revision,
    ...actorAttributes(writeContext),
    fields: packed({ before: { state: from }, after }),
  });
}
