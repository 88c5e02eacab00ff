import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useState } from 'react';
import { DEVICE_PAGE } from './device-route.ts';
import { useCaller } from '../ui/caller-context.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { type Device, DeviceAnswer } from './device-answer.tsx';
import { DeviceCode } from './device-code.tsx';

type Answer = 'approve' | 'deny';

const ends = {
  approve: { type: 'success', text: 'Approved. The program continues within some seconds. You can close this page.' },
  deny: { type: 'stopped', text: 'Denied. The program gets no access.' },
} as const;

/** The code of a link, which the address no longer has afterwards: it is for one use. */
function useCodeOfLink(): string {
  const { user_code: code = '' } = useRoute().query;
  const [first] = useState(code);
  useEffect(() => {
    if (code !== '') replace(href([DEVICE_PAGE]));
  }, [code]);
  return first;
}

/** The code, the question, and the answer. */
function Steps() {
  const first = useCodeOfLink();
  const [code, setCode] = useState(first);
  const [device, setDevice] = useState<Device>();
  const [answer, setAnswer] = useState<Answer>();
  if (answer !== undefined)
    return (
      <div role="status">
        <StatusIndicator type={ends[answer].type}>{ends[answer].text}</StatusIndicator>
      </div>
    );
  if (device === undefined) return <DeviceCode code={code} onChange={setCode} onFound={setDevice} />;
  return <DeviceAnswer code={code} device={device} answered={setAnswer} back={() => setDevice(undefined)} />;
}

/** A person enters the code of a program, reads which program asks, and approves or denies. */
export function DevicePage() {
  usePageTitle('Log in on a device');
  const { kind } = useCaller();
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="For a program without a browser, such as the command line on another host.">
        Log in on a device
      </Header>
      <Container>
        {kind === 'session' ? <Steps /> : <Alert type="info">Log in as a person to approve a program.</Alert>}
      </Container>
    </SpaceBetween>
  );
}
