import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { Violation } from '../../../shared/core/errors.ts';
import { type Draft, equal, jsonOf } from '../../model/draft.ts';
import type { Field } from '../../model/fields.ts';
import type { ApiRequest } from '../../ui/curl-text.ts';
import { go } from '../../ui/route.tsx';
import { CurlSection } from '../../ui/show-curl.tsx';
import { FailureAlert, refusalTitle } from '../../ui/failure-alert.tsx';
import { FieldControl } from './field-control.tsx';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import { useKeptDraft } from '../../model/kept-drafts.tsx';
import { useUnsaved } from '../../ui/leaving.tsx';
import type { useSubmit } from '../../ui/use-submit.tsx';
import { numberText } from '../../ui/words.ts';

interface FieldsProps {
  fields: readonly Field[];
  draft: Draft;
  violations: readonly Violation[];
  hintOf?: (path: string) => string | undefined;
  onChange: (draft: Draft) => void;
}

interface Props extends Omit<FieldsProps, 'violations'> {
  title: string;
  /** Above the fields: the control that determines them. */
  head?: ReactNode;
  notice?: ReactNode;
  /** The content of the form before the user changes it. */
  start: Draft;
  form: ReturnType<typeof useSubmit>;
  submitText: string;
  /** The request that the form sends at the moment. */
  request: ApiRequest;
  backTo: string;
}

/** Optional fields that most users set. The others are in a collapsed section. */
const usual = new Set(['node_ids', 'insights', 'address', 'port', 'socket', 'cluster', 'environment', 'username']);

const isAbout = ({ name }: Field, { field }: Violation) => field === name || field.startsWith(`${name}.`);

function FieldControls({ fields, draft, onChange, ...props }: FieldsProps) {
  return (
    <SpaceBetween size="l">
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          {...props}
          field={field}
          value={draft[field.name]}
          onChange={(value) => onChange({ ...draft, [field.name]: value })}
        />
      ))}
    </SpaceBetween>
  );
}

/** The fields in sections: the usual ones, the others, and the labels. */
function Sections({ head, fields, ...props }: FieldsProps & { head: ReactNode }) {
  const [expanded, setExpanded] = useState(false);
  const labels = fields.filter(({ control }) => control.kind === 'labels');
  const others = fields.filter((field) => !labels.includes(field));
  const isUsual = (field: Field) => field.required || usual.has(field.name);
  const rest = others.filter((field) => !isUsual(field));
  const isHiddenError = rest.some((field) => props.violations.some((one) => isAbout(field, one)));
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Basics</Header>}>
        <SpaceBetween size="l">
          {head}
          <FieldControls {...props} fields={others.filter(isUsual)} />
        </SpaceBetween>
      </Container>
      {rest.length > 0 && (
        <ExpandableSection
          variant="container"
          headerText="More options"
          headerCounter={`(${numberText(rest.length)})`}
          expanded={expanded || isHiddenError}
          onChange={({ detail }) => setExpanded(detail.expanded)}
        >
          <FieldControls {...props} fields={rest} />
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
          <FieldControls {...props} fields={[field]} />
        </Container>
      ))}
    </SpaceBetween>
  );
}

/** A form whose fields and messages come from a contract of the API. */
export function ObjectForm({ title, notice, start, form, submitText, request, backTo, head, ...fieldsProps }: Props) {
  const { fields, draft } = fieldsProps;
  const { busy, violations, refusal, submit } = form;
  useKeptDraft(draft, start);
  useUnsaved(!equal(jsonOf(fields, draft), jsonOf(fields, start)));
  const unplaced = violations.filter((one) => !fields.some((field) => isAbout(field, one)));

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
          {refusal !== undefined && <FailureAlert failure={refusal} what={refusalTitle(refusal)} />}
          {refusal === undefined && unplaced.length > 0 && (
            <Alert type="error">{unplaced.map(({ message }) => message).join(' ')}</Alert>
          )}
          <Sections {...fieldsProps} head={head} violations={violations} />
          <CurlSection request={request} />
        </SpaceBetween>
      </Form>
      <LeaveDialog />
    </form>
  );
}
