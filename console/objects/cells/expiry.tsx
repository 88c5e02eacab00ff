import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { EXPIRY_DAYS } from '../../../functions/domain/records/summary.ts';
import { Moment } from '../../ui/moment.tsx';

const WARNING_MS = EXPIRY_DAYS * 86_400_000;

/** Whether something is valid now and expires within the next days. */
export function expiresSoon(time: string | undefined): boolean {
  const leftMs = time === undefined ? Infinity : Date.parse(time) - Date.now();
  return leftMs > 0 && leftMs <= WARNING_MS;
}

interface Props {
  /** When it expires; undefined: never. */
  time: string | undefined;
  /** Whether an expiry within the next days is a warning. */
  warn?: boolean;
}

/** `in 3 days`; the tooltip has the date. */
export function Expiry({ time, warn = false }: Props) {
  if (time === undefined) return <>Never</>;
  const leftMs = Date.parse(time) - Date.now();
  if (leftMs <= 0) return <StatusIndicator type="stopped">Expired</StatusIndicator>;
  return warn && expiresSoon(time) ? (
    <StatusIndicator type="warning">
      Expires <Moment time={time} />
    </StatusIndicator>
  ) : (
    <Moment time={time} />
  );
}
