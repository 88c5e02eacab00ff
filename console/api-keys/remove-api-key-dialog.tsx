import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { endpoint as removeApiKey } from '../../functions/api/api-keys/remove/endpoint.ts';
import { type ApiFailure, call, requestOf } from '../api/client.tsx';
import { CurlSection } from '../ui/show-curl.tsx';
import { flash } from '../ui/flash.ts';
import { session } from '../api/session.tsx';
import type { ApiKey } from '../model/api-keys.tsx';
import { lastUseText } from './last-use.ts';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { distanceText } from '../ui/moment.tsx';
import { failureOf } from '../ui/use-load.tsx';

const mayDo = {
  Viewer: 'read the inventory',
  Editor: 'read and change the inventory',
  Admin: 'read and change the inventory, and manage API keys',
  Relay: 'report for hosts',
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
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const isOwn = caller.kind === 'api_key' && caller.id === id;

  const remove = async () => {
    setBusy(true);
    try {
      await call(removeApiKey, { params: { key_id: id } });
    } catch (error) {
      const known = failureOf(error);
      // Gone already is as good.
      if (known.status !== 404) {
        setFailure(known);
        setBusy(false);
        return;
      }
    }
    flash.add({ type: 'success', content: `The API key ${name} was removed and no longer works.` });
    if (isOwn) session.leave('The API key that you logged in with was removed.');
    else removed();
  };

  return (
    <Modal
      visible
      header="Remove API key"
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={close}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy} onClick={() => void remove()}>
              Remove
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {failure !== undefined && <FailureAlert failure={failure} what="The key could not be removed" />}
        <Box>
          Remove the key <b className="any-word">{name}</b> (<span className="mono">{prefix}…</span>, {role})?
        </Box>
        <Alert type="warning" header="What stops working">
          Every program that uses this key is refused at once and can no longer {mayDo[role]}.{' '}
          {lastUseText(apiKey, distanceText)}
          {isOwn && ' You are logged in with this key, and will be logged out.'}
        </Alert>
        <CurlSection request={requestOf(removeApiKey, { params: { key_id: id } })} />
      </SpaceBetween>
    </Modal>
  );
}
