import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { use, useState } from 'react';
import { HEALTH, type Health, type HealthFields, healthOf } from '../../model/health.ts';
import type { InventoryObject } from '../../model/kinds.tsx';
import { OneLineContext } from '../../ui/breakable-text.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { Clock, distanceText, Moment, Since, sinceText, useNow } from '../../ui/moment.tsx';
import type { Column } from './column.ts';
import { Small } from '../../ui/small.tsx';

/**
 * A page that was loaded within this time may claim "Live". In milliseconds, longer than any interval of auto-refresh.
 */
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

/** Replaces a state that is being loaded, with its usual size, so that nothing moves when it arrives. */
function Awaited({ reason }: { reason: ReasonPlace }) {
  return (
    <>
      <StatusIndicator wrapText={false} type="pending">
        Loading
      </StatusIndicator>
      {reason === 'below' && (
        <Small>
          <span className="reserved" aria-hidden="true">
            Last report 1 minute ago
          </span>
        </Small>
      )}
    </>
  );
}

/** The reason as a text: that of `Reason`. */
function reasonText({ reason, silentSince, reportedAt }: Health, now: number): string | undefined {
  if (reportedAt !== undefined) return `Last report ${distanceText(reportedAt)}`;
  return silentSince === undefined ? reason : `${reason ?? ''} for ${sinceText(silentSince, now)}`;
}

/** Whether a refresh has changed the word since the row was drawn. @param word undefined while it is not known. */
function useIsChanged(word: string | undefined): boolean {
  const [lastWord, setKnown] = useState({ word, isChanged: false });
  if (word !== undefined && word !== lastWord.word) setKnown({ word, isChanged: lastWord.word !== undefined });
  return lastWord.isChanged;
}

/** `tooltip`: the health has one line; screen readers read the reason as well. */
type ReasonPlace = 'below' | 'tooltip' | 'none';

/**
 * The health of an object and the reason. On an old page, a healthy object has the time at which it was healthy.
 *
 * @param reason where the reason is.
 */
export function HealthText({ object, reason = 'below' }: { object: HealthFields; reason?: ReasonPlace }) {
  const loadedAt = use(LoadedAtContext);
  const now = useNow();
  const health = healthOf(object);
  const isChanged = useIsChanged(loadedAt === 'without states' ? undefined : health?.word);
  if (loadedAt === 'without states') return <Awaited reason={reason} />;
  if (health === undefined) return <>-</>;
  if (health.isGood && loadedAt !== undefined && now - loadedAt > RECENT_MS)
    return (
      <StatusIndicator type="pending">
        {health.word} at <Clock time={loadedAt} />
      </StatusIndicator>
    );
  const hasReason = health.reason !== undefined || health.reportedAt !== undefined;
  if (reason === 'tooltip')
    return (
      // With a key: the mark begins anew with each change.
      <span key={health.word} className={isChanged ? 'health-changed' : undefined} title={reasonText(health, now)}>
        <StatusIndicator wrapText={false} type={health.look}>
          {health.word}
        </StatusIndicator>
        {hasReason && (
          <span className="visually-hidden">
            {/* Unseen, so that it has room for "3 minutes ago". */}
            <OneLineContext value={false}>
              <Reason health={health} />
            </OneLineContext>
          </span>
        )}
      </span>
    );
  return (
    <>
      <StatusIndicator wrapText={false} type={health.look}>
        {health.word}
      </StatusIndicator>
      {reason === 'below' && hasReason && (
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
  width: 150,
  cell: (object) => <HealthText object={object} reason="tooltip" />,
};
