import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';

const looks: Readonly<Record<string, StatusIndicatorProps.Type>> = {
  running: 'success',
  starting: 'in-progress',
  stopping: 'in-progress',
  waiting: 'warning',
  done: 'stopped',
  not_supported: 'stopped',
  unknown: 'pending',
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A field of the state of an agent: `status`, `connected` or `disabled`. */
export function StateValue({ field, value }: { field: string; value: unknown }) {
  if (typeof value === 'boolean') {
    const isGood = value === (field === 'connected');
    const text = field === 'connected' ? ['Not connected', 'Connected'] : ['Enabled', 'Disabled'];
    return (
      <StatusIndicator wrapText={false} type={isGood ? 'success' : 'stopped'}>
        {text[Number(value)]}
      </StatusIndicator>
    );
  }
  if (typeof value !== 'string') return <>-</>;
  return (
    <StatusIndicator wrapText={false} type={looks[value] ?? 'pending'}>
      {capital(value.replaceAll('_', ' '))}
    </StatusIndicator>
  );
}
