import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useState } from 'react';
import { base } from '../api/base.tsx';
import { endpoint as addEnrolmentToken } from '../../functions/api/enrolment-tokens/add/endpoint.ts';
import { endpoint as addNode } from '../../functions/api/nodes/add/endpoint.ts';
import { ApiFailure, call, type ReplyOf, violationsOf } from '../api/client.tsx';
import { ObjectLink } from '../objects/cells/object-link.tsx';
import { HealthText } from '../objects/cells/health-status.tsx';
import { type Node, nodes } from '../model/kinds.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { CopyableCode } from '../ui/copyable-code.tsx';
import { server } from '../ui/curl.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { TextField } from '../ui/text-field.tsx';
import { momentText } from '../ui/time-format.ts';
import { useLoad } from '../ui/use-load.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import { followCommand, hostCommand, INSTALL_COMMAND_LINE } from './host-command.ts';

/** Between two looks for the first report. */
const LOOK_MS = 3000;

type NewToken = ReplyOf<typeof addEnrolmentToken>;
type Host = { node_type: 'generic'; node_name: string; address: string };

/** The node with its state; null while the host has not enrolled. @throws ApiFailure */
async function findHost(name: string, signal?: AbortSignal): Promise<Node | null> {
  const query = { name_prefix: name, include: 'state', page_size: '1' };
  const { objects } = await nodes.list(query, { ...(signal === undefined ? {} : { signal }), background: true });
  return objects.find(({ node_name: listedName }) => listedName === name) ?? null;
}

/** Whether the host has enrolled and reported, which is looked up again until it has. */
function FirstReport({ name }: { name: string }) {
  const { value: node, failure, loadedAt, reload } = useLoad(['first host', name], (signal) => findHost(name, signal));
  const isLive = node?.state === 'live';
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [isLive, loadedAt, failure, reload]);
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The host could not be looked up" retry={reload} />;
  if (node === undefined || node === null)
    return <StatusIndicator type="loading">Waiting for the host to enrol</StatusIndicator>;
  if (!isLive)
    return <StatusIndicator type="loading">The host has enrolled. Waiting for its first report</StatusIndicator>;
  return (
    <div>
      <ObjectLink kind={nodes} id={node.node_id} /> <HealthText object={node} reason="none" />
    </div>
  );
}

/** The command, which contains a secret, and the result. */
function HostCommand({ host, token }: { host: Host; token: NewToken }) {
  return (
    <SpaceBetween size="m">
      <Alert type="info">
        The command works once, until {momentText(token.expires_at)}. It contains an enrolment token, which is shown
        only here.
      </Alert>
      <CopyableCode label="On the host" text={hostCommand(server, { token: token.token, node: host })} />
      <div aria-live="polite">
        <FirstReport name={host.node_name} />
      </div>
      <Box color="text-body-secondary">
        A host that does not report again becomes stale. Install the{' '}
        <Link href={`${base}/docs/cli.html`} external externalIconAriaLabel="Opens in a new tab">
          command line
        </Link>{' '}
        on it from the package of a release, and let it report from now on:
      </Box>
      <CopyableCode label="Install the command line" text={INSTALL_COMMAND_LINE} />
      <CopyableCode label="Report from now on" text={followCommand(server)} />
    </SpaceBetween>
  );
}

/** One command that enrols a host and reports for it, for a person who may add enrolment tokens. */
export function FirstHost() {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [created, setCreated] = useState<{ host: Host; token: NewToken }>();
  const mayEnrol = useMay(addEnrolmentToken);
  const host: Host = { node_type: 'generic', node_name: name, address };
  const form = useSubmit({
    unique: 'node_name',
    check: () => violationsOf(addNode.body, host),
    send: async () => {
      // A token with the name of an existing node would end the key of its host.
      if ((await findHost(name)) !== null) throw new ApiFailure(409, { message: `The node "${name}" exists already.` });
      const body = { name: `host ${name}`.slice(0, 128), node_name: name, allowed_addresses: [address] };
      setCreated({ host, token: await call(addEnrolmentToken, { body }) });
    },
  });
  if (!mayEnrol) return null;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="One command adds a host and its agent process, and reports for the first time."
        >
          First host
        </Header>
      }
    >
      {created === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.busy) form.submit();
          }}
        >
          <SpaceBetween size="m">
            {form.failure !== undefined && (
              <FailureAlert failure={form.failure} what="The command could not be created" />
            )}
            <TextField label="Name of the host" value={name} error={form.said('node_name')} onChange={setName} />
            <TextField
              label="Address"
              description="At which Prometheus reaches the host."
              placeholder="10.0.0.1"
              value={address}
              error={form.said('address') ?? form.said('allowed_addresses')}
              onChange={setAddress}
            />
            <Button variant="primary" loading={form.busy}>
              Create the command
            </Button>
          </SpaceBetween>
        </form>
      ) : (
        <HostCommand {...created} />
      )}
    </Container>
  );
}
