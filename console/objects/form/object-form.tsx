import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useState } from 'react';
import type { Violation } from '../../../shared/core/errors.ts';
import type { ApiFailure } from '../../api/client.tsx';
import { type Draft, equal, jsonOf } from '../../model/draft.ts';
import type { Field } from '../../model/fields.ts';
import type { ApiRequest } from '../../ui/curl-text.ts';
import { go } from '../../ui/route.tsx';
import { CurlSection } from '../../ui/show-curl.tsx';
import { FailureAlert, refusalTitle } from '../../ui/failure-alert.tsx';
import { FieldControl } from './field-control.tsx';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import { useKeptDraft } from '../../model/use-kept-draft.tsx';
import { useUnsaved } from '../../ui/leaving.tsx';

interface Props {
  title: string;
  /** Above the fields: what decides which there are. */
  head?: ReactNode;
  notice?: ReactNode;
  fields: readonly Field[];
  draft: Draft;
  /** What the form shows before the user changes it. */
  start: Draft;
  hintOf?: (path: string) => string | undefined;
  /** What is wrong with the form as it stands. */
  check: (draft: Draft) => readonly Violation[];
  failure: ApiFailure | undefined;
  busy: boolean;
  submitText: string;
  /** What the form sends as it stands. */
  request: ApiRequest;
  backTo: string;
  onChange: (draft: Draft) => void;
  onSubmit: () => void;
}

/** Fields that most who fill in the form will fill in; the others are behind one click. */
const usual = new Set(['node_ids', 'insights', 'address', 'port', 'socket', 'cluster', 'environment', 'username']);

const isAbout = ({ name }: Field, { field }: Violation) => field === name || field.startsWith(`${name}.`);

function focusFirstError(): void {
  // After the errors are on the page. What is about no field stands above all of them, where a bar may cover the edge.
  setTimeout(() => {
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    if (field === null) document.querySelector('main .failure')?.scrollIntoView({ block: 'center' });
    else field.focus();
  });
}

/** A form whose fields come from a contract, and which says what is wrong in the words of the contract. */
export function ObjectForm(props: Props) {
  const { title, head, notice, fields, draft, start, check, failure, busy, submitText, request, backTo } = props;
  const { hintOf, onChange, onSubmit } = props;
  const [tried, setTried] = useState(false);
  const [expanded, setExpanded] = useState(false);
  useKeptDraft(draft, start);
  useUnsaved(!equal(jsonOf(fields, draft), jsonOf(fields, start)));

  const found = tried ? check(draft) : [];
  const violations = found.length > 0 ? found : (failure?.details ?? []);
  const isUsual = (field: Field) => field.required || usual.has(field.name);
  const labels = fields.filter(({ control }) => control.kind === 'labels');
  const others = fields.filter((field) => !labels.includes(field));
  const rest = others.filter((field) => !isUsual(field));
  const isHiddenError = rest.some((field) => violations.some((one) => isAbout(field, one)));
  const unplaced = violations.filter((one) => !fields.some((field) => isAbout(field, one)));

  const submit = () => {
    setTried(true);
    if (check(draft).length === 0) onSubmit();
    else focusFirstError();
  };
  useEffect(() => {
    if (failure !== undefined) focusFirstError();
  }, [failure]);

  const controls = (some: readonly Field[]) =>
    some.map((field) => (
      <FieldControl
        key={field.name}
        field={field}
        value={draft[field.name]}
        violations={violations}
        {...(hintOf === undefined ? {} : { hintOf })}
        onChange={(value) => onChange({ ...draft, [field.name]: value })}
      />
    ));

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Form
        header={<Header variant="h1">{title}</Header>}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button formAction="none" variant="link" onClick={() => go(backTo)}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy}>
              {submitText}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          {notice}
          {failure !== undefined && (failure.details.length === 0 || failure.requestId !== undefined) && (
            <FailureAlert failure={failure} what={refusalTitle(failure)} />
          )}
          {failure === undefined && unplaced.length > 0 && (
            <Alert type="error">{unplaced.map(({ message }) => message).join(' ')}</Alert>
          )}
          <Container header={<Header variant="h2">Basics</Header>}>
            <SpaceBetween size="l">
              {head}
              {controls(others.filter(isUsual))}
            </SpaceBetween>
          </Container>
          {rest.length > 0 && (
            <ExpandableSection
              variant="container"
              headerText="More options"
              headerCounter={`(${rest.length})`}
              expanded={expanded || isHiddenError}
              onChange={({ detail }) => setExpanded(detail.expanded)}
            >
              <SpaceBetween size="l">{controls(rest)}</SpaceBetween>
            </ExpandableSection>
          )}
          {labels.map((field) => (
            <Container
              key={field.name}
              header={
                <Header variant="h2" description={field.description}>
                  {field.label}
                </Header>
              }
            >
              {controls([field])}
            </Container>
          ))}
          <CurlSection request={request} />
        </SpaceBetween>
      </Form>
      <LeaveDialog />
    </form>
  );
}
