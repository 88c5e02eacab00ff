import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { endpoint as answerDevice } from '../../functions/api/device-authorizations/answer/endpoint.ts';
import { type Rank, ranks, roleAllows } from '../../shared/auth/roles.ts';
import { call, type ReplyOf } from '../api/client.tsx';
import { roleMeanings } from '../model/role-meanings.ts';
import { Words } from '../ui/breakable-text.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { useAction } from '../ui/use-submit.tsx';

export type Device = ReplyOf<typeof answerDevice>;

const HEADING = 'device-heading';

/** The program that asks, in its own words, and the facts that the server knows. */
function DeviceFacts({ device }: { device: Device }) {
  const { client_name: name, source_ip: address, requested_at: requested, expires_at: end } = device;
  return (
    <KeyValuePairs
      columns={2}
      items={[
        { label: 'Program, in its own words', value: <Words text={name} /> },
        { label: 'Source address', value: <Words text={address} /> },
        { label: 'Asked', value: <Moment time={requested} exact /> },
        { label: 'Code expires', value: <Moment time={end} /> },
      ]}
    />
  );
}

function RoleField({ role, onChange }: { role: Rank; onChange: (role: Rank) => void }) {
  const { role: callerRole } = useCaller();
  const options = ranks
    .filter((rank) => roleAllows(callerRole, rank))
    .map((value) => ({ value, label: value, description: roleMeanings[value] }));
  return (
    <FormField label="Role of the program" description="At most your own role. Choose a lower one if it is enough.">
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === role) ?? null}
        triggerVariant="option"
        onChange={({ detail }) =>
          onChange(ranks.find((candidate) => candidate === detail.selectedOption.value) ?? role)
        }
      />
    </FormField>
  );
}

interface Props {
  code: string;
  device: Device;
  answered: (answer: 'approve' | 'deny') => void;
  back: () => void;
}

/** The question to the person, and the two answers. */
export function DeviceAnswer({ code, device, answered, back }: Props) {
  const { name, role: callerRole } = useCaller();
  const [role, setRole] = useState<Rank>(ranks.find((rank) => rank === callerRole) ?? 'Viewer');
  const send = async (answer: 'approve' | 'deny') => {
    await call(answerDevice, { body: { user_code: code, answer, ...(answer === 'approve' ? { role } : {}) } });
    answered(answer);
  };
  const approval = useAction(() => send('approve'));
  const denial = useAction(() => send('deny'));
  const failure = approval.failure ?? denial.failure;
  // A screen reader reads who asks before the answers.
  useEffect(() => document.getElementById(HEADING)?.focus(), []);
  return (
    <SpaceBetween size="l">
      <div id={HEADING} tabIndex={-1}>
        <Header variant="h2">Does this program act for you?</Header>
      </div>
      {failure !== undefined && <FailureAlert failure={failure} what="The answer was not stored" />}
      <DeviceFacts device={device} />
      <Alert type="warning" header="Approve only what you have started yourself">
        The program gets a session of {name}. Deny if somebody sent you the code or the link, or if the address is not
        that of your host.
      </Alert>
      <RoleField role={role} onChange={setRole} />
      <SpaceBetween direction="horizontal" size="xs">
        <Button variant="primary" loading={approval.busy} disabled={denial.busy} onClick={approval.submit}>
          Approve
        </Button>
        <Button loading={denial.busy} disabled={approval.busy} onClick={denial.submit}>
          Deny
        </Button>
        <Button variant="link" onClick={back}>
          Another code
        </Button>
      </SpaceBetween>
    </SpaceBetween>
  );
}
