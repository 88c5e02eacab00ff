import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useMemo, useState } from 'react';
import { ApiFailure, parsedBy, requestOf } from '../../api/client.tsx';
import { flash } from '../../ui/flash.ts';
import { insightHint, takesInsights } from '../../model/agent-rules.ts';
import { type Draft, draftOf, jsonOf, labelViolations, takenOver } from '../../model/draft.ts';
import { type Field, typesOf } from '../../model/fields.ts';
import { keptDrafts } from '../../model/kept-drafts.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { leaving } from '../../ui/leaving.tsx';
import { go, href, useRoute } from '../../ui/route.tsx';
import { useCaller, useMay } from '../../ui/caller-context.tsx';
import { NotAllowed } from '../../ui/not-allowed.tsx';
import { ObjectForm } from './object-form.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { failureOf } from '../../ui/use-load.tsx';

type Query = Readonly<Record<string, string>>;

/** What the address already says of the object, as `Add a service here` does. */
function givenBy({ node_ids: nodeIds, service_ids: serviceIds, ...rest }: Query): Record<string, unknown> {
  return {
    ...rest,
    ...(nodeIds === undefined ? {} : { node_ids: nodeIds.split(',') }),
    ...(serviceIds === undefined ? {} : { insights: { service_ids: serviceIds.split(',') } }),
  };
}

/** Without the fields that objects of the type cannot use. */
export function usableFields(type: string, fields: readonly Field[]): Field[] {
  return fields
    .filter(({ path }) => takesInsights(type, path))
    .map((field) =>
      field.control.kind === 'group'
        ? {
            ...field,
            control: { kind: 'group', fields: field.control.fields.filter(({ path }) => takesInsights(type, path)) },
          }
        : field,
    );
}

export function violationsOf(parse: () => unknown) {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof ApiFailure) return error.details;
    throw error;
  }
}

export function AddForm<T extends InventoryObject>({ kind }: { kind: Kind<T> }) {
  const mayAdd = useMay(kind.contracts.add);
  const title = `Add ${kind.noun}`;
  return mayAdd ? <Fields kind={kind} title={title} /> : <NotAllowed title={title} endpoint={kind.contracts.add} />;
}

function Fields<T extends InventoryObject>({ kind, title }: { kind: Kind<T>; title: string }) {
  const { query } = useRoute();
  const { name } = useCaller();
  const { body } = kind.contracts.add;
  const types = useMemo(() => typesOf(body), [body]);
  const [type, setType] = useState(query[kind.typeField] ?? types[0]?.type ?? '');
  const fieldsOf = (wanted: string) => usableFields(wanted, types.find((one) => one.type === wanted)?.fields ?? []);
  const fields = fieldsOf(type);
  const start = draftOf(fields, givenBy(query));
  const [draft, setDraft] = useState<Draft>(() => keptDrafts.take(name, location.hash)?.draft ?? start);
  const [failure, setFailure] = useState<ApiFailure>();
  const [busy, setBusy] = useState(false);
  usePageTitle(title, [{ text: kind.title, href: href([kind.folder]) }]);

  const json = (form: Draft) => ({ [kind.typeField]: type, ...jsonOf(fields, form) });
  const submit = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const added = await kind.add(json(draft));
      flash.add({ type: 'success', content: `The ${kind.noun} ${kind.nameOf(added)} was added.` }, { pages: 1 });
      leaving.release();
      go(href([kind.folder, kind.idOf(added)]));
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };

  const options = types.map((one) => ({ value: one.type, label: one.type, description: one.description }));
  return (
    <ObjectForm
      title={title}
      head={
        <FormField label="Type" description="Determines the fields. It cannot be changed later.">
          <Select
            options={options}
            filteringType={options.length > 8 ? 'auto' : 'none'}
            selectedOption={options.find(({ value }) => value === type) ?? null}
            triggerVariant="option"
            onChange={({ detail }) => {
              const next = detail.selectedOption.value ?? type;
              setDraft(takenOver(draftOf(fieldsOf(next), givenBy(query)), draft));
              setType(next);
              setFailure(undefined);
            }}
          />
        </FormField>
      }
      fields={fields}
      draft={draft}
      start={start}
      hintOf={(path) => insightHint(type, path)}
      check={(form) => [...labelViolations(fields, form), ...violationsOf(() => parsedBy(body, json(form)))]}
      failure={failure}
      busy={busy}
      submitText={title}
      request={requestOf(kind.contracts.add, { body: json(draft) })}
      backTo={href([kind.folder])}
      onChange={setDraft}
      onSubmit={() => void submit()}
    />
  );
}
