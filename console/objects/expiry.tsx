import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { EXPIRY_DAYS } from '../../functions/domain/records/summary.ts';
import { Moment } from '../ui/moment.tsx';

const WARNING_MS = EXPIRY_DAYS * 86_400_000;

interface Props {
  /** When it expires; undefined: never. */
  time: string | undefined;
  /** It is to last: its end within the next days is a warning. */
  warn?: boolean;
}

/** `in 3 days`, and the date below. */
export function Expiry({ time, warn = false }: Props) {
  if (time === undefined) return <>Never</>;
  const leftMs = Date.parse(time) - Date.now();
  if (leftMs <= 0) return <StatusIndicator type="stopped">Expired</StatusIndicator>;
  return (
    <>
      {warn && leftMs <= WARNING_MS ? (
        <StatusIndicator type="warning">
          Expires <Moment time={time} />
        </StatusIndicator>
      ) : (
        <Moment time={time} />
      )}
      <Box variant="small" display="block">
        <Moment time={time} exact />
      </Box>
    </>
  );
}
