import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { use } from 'react';
import { HEALTH, type Health, type HealthFields, healthOf } from '../../model/health.ts';
import type { InventoryObject } from '../../model/kinds.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { Clock, Moment, Since, useNow } from '../../ui/moment.tsx';
import type { Column } from './column.ts';
import { Small } from '../../ui/small.tsx';

/** For this long "Live" is true enough. Longer than any interval of auto-refresh, in milliseconds. */
const RECENT_MS = 180_000;

function Reason({ health: { reason, silentSince, reportedAt } }: { health: Health }) {
  if (reportedAt !== undefined)
    return (
      <>
        Last report <Moment time={reportedAt} />
      </>
    );
  return (
    <>
      {reason}
      {silentSince !== undefined && (
        <>
          {' for '}
          <Since time={silentSince} />
        </>
      )}
    </>
  );
}

/** In place of a state that is being loaded, with its usual room, so that nothing moves when it is there. */
function Awaited() {
  return (
    <>
      <StatusIndicator wrapText={false} type="pending">
        Loading
      </StatusIndicator>
      <Small>
        <span className="reserved" aria-hidden="true">
          Last report 1 minute ago
        </span>
      </Small>
    </>
  );
}

/**
 * How an object is, and why. Where the page is old, it does not say that an object is well now, but when it was.
 *
 * @param brief without the reason.
 */
export function HealthText({ object, brief = false }: { object: HealthFields; brief?: boolean }) {
  const loadedAt = use(LoadedAtContext);
  const now = useNow();
  const health = healthOf(object);
  if (loadedAt === 'without states') return <Awaited />;
  if (health === undefined) return <>-</>;
  if (health.isGood && loadedAt !== undefined && now - loadedAt > RECENT_MS)
    return (
      <StatusIndicator type="pending">
        {health.word} at <Clock time={loadedAt} />
      </StatusIndicator>
    );
  const hasReason = health.reason !== undefined || health.reportedAt !== undefined;
  return (
    <>
      <StatusIndicator wrapText={false} type={health.look}>
        {health.word}
      </StatusIndicator>
      {!brief && hasReason && (
        <Small>
          <Reason health={health} />
        </Small>
      )}
    </>
  );
}

export const healthColumn: Column<InventoryObject> = {
  id: 'health',
  header: 'Health',
  sortBy: HEALTH,
  minWidth: 150,
  cell: (object) => <HealthText object={object} />,
};
