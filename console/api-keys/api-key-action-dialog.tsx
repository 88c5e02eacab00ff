import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import { endpoint as changeApiKey } from '../../functions/api/api-keys/change/endpoint.ts';
import { endpoint as removeApiKey } from '../../functions/api/api-keys/remove/endpoint.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
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

interface KeyAction {
  verb: string;
  endpoint: Endpoint;
  body?: object;
  send: (id: string) => Promise<unknown>;
  /** The effect on a program that uses the key, before the action; undefined: nothing stops. */
  effect?: string;
  /** The effect, after the action. */
  done: string;
}

const settingDisabled = (disabled: boolean) => ({
  endpoint: changeApiKey,
  body: { disabled },
  send: (id: string) => call(changeApiKey, { params: { key_id: id }, body: { disabled } }),
});

const actions = {
  disable: {
    verb: 'Disable',
    ...settingDisabled(true),
    effect: 'is refused until you enable the key again',
    done: 'was disabled',
  },
  enable: {
    verb: 'Enable',
    ...settingDisabled(false),
    done: 'was enabled and works again',
  },
  remove: {
    verb: 'Remove',
    endpoint: removeApiKey,
    send: (id) => call(removeApiKey, { params: { key_id: id } }),
    effect: 'is refused at once',
    done: 'was removed and no longer works',
  },
} as const satisfies Record<string, KeyAction>;

export type KeyActionName = keyof typeof actions;

interface Props {
  apiKey: ApiKey;
  action: KeyActionName;
  close: () => void;
  done: () => void;
}

/** Asks before a key is disabled, enabled or removed, and does it. */
export function ApiKeyActionDialog({ apiKey, action, close, done }: Props) {
  const { key_id: id, name, role, prefix } = apiKey;
  const { verb, endpoint, body, send, effect, done: doneText }: KeyAction = actions[action];
  const caller = useCaller();
  const isOwn = action === 'remove' && caller.kind === 'api_key' && caller.id === id;
  const form = useAction(async () => {
    await send(id).catch((error: unknown) => {
      // The key was already removed.
      if (action !== 'remove' || failureOf(error).status !== 404) throw error;
    });
    flash.add({ type: 'success', content: `The API key ${name} ${doneText}.` });
    if (isOwn) session.leave('The API key that you logged in with was removed.');
    else done();
  });

  return (
    <FormDialog
      header={`${verb} API key`}
      submitText={verb}
      form={form}
      failureTitle={`The key could not be ${action}d`}
      close={close}
      request={requestOf(endpoint, { params: { key_id: id }, ...(body === undefined ? {} : { body }) })}
    >
      <Box>
        {verb} the key{' '}
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>{' '}
        (<span className="mono">{prefix}…</span>, {role})?
      </Box>
      {effect === undefined ? (
        <Box>{lastUseText(apiKey, distanceText)}</Box>
      ) : (
        <Alert type="warning" header="What stops working">
          Every program that uses this key {effect} and can no longer {mayDo[role]}. {lastUseText(apiKey, distanceText)}
          {isOwn && ' You are logged in with this key, and will be logged out.'}
        </Alert>
      )}
    </FormDialog>
  );
}
