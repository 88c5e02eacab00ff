import { endpoint as getCaller } from '../../functions/api/server/get-caller/endpoint.ts';
import type { Role } from '../../shared/auth/roles.ts';
import { curlCall } from '../ui/curl.tsx';
import { basic, bearer } from '../ui/curl-text.ts';
import { momentText } from '../ui/time-format.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';

export interface CreatedKey {
  key: string;
  name: string;
  role: Role;
  expiresAt: string | undefined;
  /** Of a rotated key: the expiry of the previous secret; undefined for an expired one. */
  rotated?: { until: string | undefined };
}

function notesOf({ expiresAt, rotated }: CreatedKey): string[] {
  const end = expiresAt === undefined ? 'It never expires.' : `It expires ${momentText(expiresAt)}.`;
  if (rotated === undefined) return [end];
  const old =
    rotated.until === undefined
      ? 'The previous secret no longer works.'
      : `The previous secret works until ${momentText(rotated.until)}.`;
  return [old, end];
}

export function CreatedKeyDialog({ created, close }: { created: CreatedKey; close: () => void }) {
  const { key, name, role, rotated } = created;
  return (
    <SecretDialog
      header={rotated === undefined ? 'API key created' : 'API key rotated'}
      warning={{
        header: 'Copy the key now',
        text: `It is shown only once. It grants the role ${role}. Store it with your other secrets.`,
      }}
      secrets={[{ label: `Key of ${name}`, text: key }]}
      examples={[
        { label: 'Bearer', text: curlCall(getCaller, {}, bearer(key)) },
        { label: 'Basic', text: curlCall(getCaller, {}, basic(key)) },
      ]}
      notes={notesOf(created)}
      close={close}
    />
  );
}
