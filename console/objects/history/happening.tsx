import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import { shortId } from '../../model/kinds.tsx';
import { actorKindText } from '../../ui/words.ts';
import { Moment } from '../../ui/moment.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { Small } from '../../ui/small.tsx';

/** When something happened. */
export function When({ time }: { time: string }) {
  return (
    <>
      <Moment time={time} exact />
      <Small>
        <Moment time={time} />
      </Small>
    </>
  );
}

/** The caller of an operation. */
export function Who({ actor: { kind, name } }: { actor: { kind: string; name: string } }) {
  return (
    <>
      <Words text={name} />
      <Small>{actorKindText(kind)}</Small>
    </>
  );
}

/** The id of a request, for a search in the log. @param short shows only its start; the button copies the whole id. */
export function RequestId({ id, short = false }: { id: string; short?: boolean }) {
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={id}
      textToDisplay={
        <span className="object-id" title={id}>
          {short ? shortId(id) : id}
        </span>
      }
      copyButtonAriaLabel={`Copy the request ID ${id}`}
      copySuccessText="Copied"
      copyErrorText="Could not copy"
    />
  );
}
