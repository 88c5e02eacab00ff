import Box from '@cloudscape-design/components/box';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useStore } from '../api/store.ts';
import { refreshInterval, type RefreshInterval, refreshIntervals } from './auto-refresh.tsx';
import { Clock } from './moment.tsx';

const texts: Readonly<Record<RefreshInterval, string>> = {
  off: 'Auto-refresh off',
  '10s': 'Every 10 seconds',
  '30s': 'Every 30 seconds',
};

interface Props {
  /** The loaded objects: "the nodes". */
  what: string;
  loading: boolean;
  /** Whether the last request failed and no other is running. */
  isFailed?: boolean;
  /** In milliseconds since 1970. */
  loadedAt: number | undefined;
  reload: () => void;
}

/** The time of the last load, a button that loads the page again, and the interval of auto-refresh. */
export function RefreshControl({ what, loading, isFailed = false, loadedAt, reload }: Props) {
  const chosen = useStore(refreshInterval);
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <Box variant="small">
        {loadedAt === undefined ? (
          isFailed ? (
            'Not loaded'
          ) : (
            'Loading'
          )
        ) : (
          <>
            Loaded at <Clock time={loadedAt} />
          </>
        )}
      </Box>
      <ButtonDropdown
        ariaLabel="Auto-refresh"
        mainAction={{ iconName: 'refresh', ariaLabel: `Reload ${what}`, loading, onClick: reload }}
        items={refreshIntervals.map((id) => ({ id, text: texts[id], itemType: 'checkbox', checked: id === chosen }))}
        onItemClick={({ detail }) => {
          const next = refreshIntervals.find((candidate) => candidate === detail.id);
          if (next !== undefined) refreshInterval.set(next);
        }}
      />
    </SpaceBetween>
  );
}
