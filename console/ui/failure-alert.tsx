import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ApiFailure } from '../api/client.tsx';
import { Small } from './small.tsx';

interface Props {
  failure: ApiFailure;
  what: string;
  retry?: () => void;
  /** The label of the button that calls `retry`. */
  retryText?: string | undefined;
}

/** The title of the failure of a write. A server that did not answer has not refused it. */
export const refusalTitle = ({ status }: ApiFailure): string =>
  status === 0 ? 'The server did not answer' : 'The server refused the request';

/** The message of the failure, its request id, and a button that tries again. */
export function FailureAlert({ failure, what, retry, retryText = 'Try again' }: Props) {
  return (
    <Alert
      type="error"
      header={what}
      action={retry === undefined ? undefined : <Button onClick={retry}>{retryText}</Button>}
    >
      <span className="any-word failure">{failure.message}</span>
      {failure.requestId !== undefined && (
        <Small>
          Request ID <span className="mono any-word">{failure.requestId}</span>
        </Small>
      )}
    </Alert>
  );
}
