import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ApiFailure } from '../api/client.tsx';
import { Small } from './small.tsx';

interface Props {
  failure: ApiFailure;
  what: string;
  retry?: () => void;
  /** What `retry` does, where it is something else than to try again. */
  retryText?: string | undefined;
}

/** What a failure means for something that was sent: a server that did not answer has refused nothing. */
export const refusalTitle = ({ status }: ApiFailure): string =>
  status === 0 ? 'The server did not answer' : 'The server refused the request';

/** What went wrong, the id under which the server has logged it, and a way to try again. */
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
