import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import { endpoint as removeApiKey } from '../../functions/api/api-keys/remove/endpoint.ts';
import { call, requestOf } from '../api/client.tsx';
import { session } from '../api/session.tsx';
import type { ApiKey } from '../model/api-keys.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { distanceText } from '../ui/moment.tsx';
import { failureOf } from '../ui/use-load.tsx';
import { useAction } from '../ui/use-submit.tsx';
import { lastUseText } from './last-use.ts';

const mayDo = {
  Viewer: 'read the inventory',
  Editor: 'read and change the inventory',
  Admin: 'read and change the inventory, and manage API keys',
  Relay: 'report for hosts',
  Gateway: 'report for hosts, and read the inventory',
  Registrar: 'manage its node',
} as const;

interface Props {
  apiKey: ApiKey;
  close: () => void;
  removed: () => void;
}

export function RemoveApiKeyDialog({ apiKey, close, removed }: Props) {
  const { key_id: id, name, role, prefix } = apiKey;
  const caller = useCaller();
  const isOwn = caller.kind === 'api_key' && caller.id === id;
  const form = useAction(async () => {
    await call(removeApiKey, { params: { key_id: id } }).catch((error: unknown) => {
      // The key was already removed.
      if (failureOf(error).status !== 404) throw error;
    });
    flash.add({ type: 'success', content: `The API key ${name} was removed and no longer works.` });
    if (isOwn) session.leave('The API key that you logged in with was removed.');
    else removed();
  });

  return (
    <FormDialog
      header="Remove API key"
      submitText="Remove"
      form={form}
      failureTitle="The key could not be removed"
      close={close}
      request={requestOf(removeApiKey, { params: { key_id: id } })}
    >
      <Box>
        Remove the key <b className="any-word">{name}</b> (<span className="mono">{prefix}…</span>, {role})?
      </Box>
      <Alert type="warning" header="What stops working">
        Every program that uses this key is refused at once and can no longer {mayDo[role]}.{' '}
        {lastUseText(apiKey, distanceText)}
        {isOwn && ' You are logged in with this key, and will be logged out.'}
      </Alert>
    </FormDialog>
  );
}
