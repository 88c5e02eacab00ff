import { base } from '../api/base.tsx';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Steps from '@cloudscape-design/components/steps';
import { useEffect } from 'react';
import { watcherOf } from '../model/agent-rules.ts';
import { useCaller } from '../ui/caller-context.tsx';
import { CopyableCode } from '../ui/copyable-code.tsx';
import { curl } from '../ui/curl.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { href } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { loadFound } from './load-found.tsx';
import { type QuickStartState, type Step, stepsOf } from './steps.ts';

const looks = {
  done: { status: 'success', statusIconAriaLabel: 'Done' },
  open: { status: 'pending', statusIconAriaLabel: 'To do' },
  unknown: { status: 'info', statusIconAriaLabel: 'Unknown: your role cannot read it' },
  loading: { status: 'loading', statusIconAriaLabel: 'Loading' },
} as const;

const lookOf = ({ isDone }: Step) => (isDone === undefined ? looks.unknown : isDone ? looks.done : looks.open);

/** The steps are shown before their state is loaded, so that the rest of the page does not move. */
const emptyInventory: QuickStartState = {
  hasKey: undefined,
  nodeId: undefined,
  processId: undefined,
  service: undefined,
  hasExporter: false,
  hasTarget: false,
};

/** The command of a step, folded once the step is done. */
function Details({ step }: { step: Step }) {
  if (step.isDone !== true) return <Instructions step={step} />;
  return (
    <ExpandableSection variant="inline" headerText="Command" headerAriaLabel={`Command: ${step.title}`}>
      <Instructions step={step} />
    </ExpandableSection>
  );
}

function Instructions({ step: { id, title, text, request, authorization, page } }: { step: Step }) {
  return (
    <SpaceBetween size="xs">
      <Box color="text-body-secondary">{text}</Box>
      <CopyableCode label={title} text={curl(request, authorization)} />
      <Box>
        {id === 'prometheus' ? (
          <Link href={`${base}/docs/discovery.html`} external externalIconAriaLabel="Opens in a new tab">
            Configuration of Prometheus
          </Link>
        ) : (
          <>
            In the console: <Link href={href(page.segments)}>{page.text}</Link>
          </>
        )}
      </Box>
    </SpaceBetween>
  );
}

/** The first steps of an inventory, each with its command for this server, and a tick when it is done. */
export function QuickStart() {
  const caller = useCaller();
  const { value, loading, failure, reload } = useLoad('quick-start', (signal) => loadFound(caller, signal));
  // Back from the terminal: the commands have probably run.
  useEffect(() => {
    addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [reload]);
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The state of the steps could not be loaded" retry={reload} />;
  const steps = stepsOf(value ?? emptyInventory, watcherOf);
  const done = steps.filter(({ isDone }) => isDone === true).length;
  return (
    <ExpandableSection
      variant="container"
      headerText="Step by step, with curl"
      {...(value === undefined ? {} : { headerCounter: `(${done}/${steps.length})` })}
      headerDescription="Each step has its command for this server. $API_KEY contains the key of the first step."
      headerActions={
        <Button iconName="refresh" loading={loading} onClick={reload}>
          Check again
        </Button>
      }
    >
      <Steps
        ariaLabel="First steps"
        steps={steps.map((step) => ({
          ...(value === undefined ? looks.loading : lookOf(step)),
          header: <b>{step.title}</b>,
          details: <Details step={step} />,
        }))}
      />
    </ExpandableSection>
  );
}
