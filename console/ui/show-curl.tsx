import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { CopyableCode } from './copyable-code.tsx';
import { Dialog } from './dialog.tsx';
import { curl } from './curl.tsx';
import { type ApiRequest, KEY_VARIABLE } from './curl-text.ts';
import { href } from './route.tsx';

export const SHOW_AS_CURL = 'Show as curl';

export interface CurlCommand {
  request: ApiRequest;
  /** A difference between the command and the page. */
  note?: string | undefined;
}

function Command({ request, note }: CurlCommand) {
  return (
    <SpaceBetween size="s">
      {note !== undefined && <Box>{note}</Box>}
      <CopyableCode label="curl command" text={curl(request)} />
      <Box color="text-body-secondary">
        <span className="mono">{KEY_VARIABLE}</span> contains an{' '}
        <Link href={href(['configuration', 'api-keys'])}>API key</Link>. Set it before, for example with{' '}
        <span className="mono">read -rs API_KEY</span>.
      </Box>
    </SpaceBetween>
  );
}

export function CurlDialog({ close, ...command }: CurlCommand & { close: () => void }) {
  return (
    <Dialog
      header={SHOW_AS_CURL}
      onDismiss={close}
      buttons={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <Command {...command} />
    </Dialog>
  );
}

/** The button of a list that shows the request of the list as a command for the shell. */
export function ShowCurl({ what, ...command }: CurlCommand & { what: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        iconName="script"
        formAction="none"
        ariaLabel={`${SHOW_AS_CURL}: ${what}`}
        onClick={() => setOpen(true)}
      />
      {isOpen && <CurlDialog close={() => setOpen(false)} {...command} />}
    </>
  );
}

/** The request that a form sends at the moment, in a collapsed section. */
export function CurlSection(command: CurlCommand) {
  return (
    <ExpandableSection headerText={SHOW_AS_CURL} variant="footer">
      <Command {...command} />
    </ExpandableSection>
  );
}
